package io.onceward.client.transport;

/**
 * An address of a node.
 *
 * @param host a name, an IPv4 address, or an IPv6 address in brackets
 */
public record HostAndPort(String host, int port) {

  /**
   * Reads {@code host:port}.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static HostAndPort parse(String address) {
    String flaw = flaw(address);
    if (!flaw.isEmpty()) {
      throw new IllegalArgumentException(
          "an address has the form host:port, such as 127.0.0.1:7400, got \""
              + address
              + "\": "
              + flaw);
    }
    int colon = address.lastIndexOf(':');
    return new HostAndPort(address.substring(0, colon), port(address.substring(colon + 1)));
  }

  /** What is wrong with an address; empty if nothing is. */
  public static String flaw(String address) {
    int colon = address.lastIndexOf(':');
    if (colon < 0) {
      return "no port";
    }
    if (port(address.substring(colon + 1)) < 1) {
      return "a port is a number from 1 to 65535";
    }
    String host = address.substring(0, colon);
    if (host.isEmpty()) {
      return "no host";
    }
    boolean bracketed = host.startsWith("[") && host.endsWith("]") && host.length() > 2;
    for (int i = bracketed ? 1 : 0; i < host.length() - (bracketed ? 1 : 0); i++) {
      char c = host.charAt(i);
      boolean ofName = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      boolean sound =
          ofName || c == '.' || c == '-' || (bracketed ? c == ':' || c == '%' : c == '_');
      if (!sound) {
        return "a host has no '" + c + "'";
      }
    }
    return "";
  }

  private static int port(String digits) {
    int port = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      port = port * 10 + digit;
      if (port > 65_535) {
        return -1;
      }
    }
    return port;
  }
}
