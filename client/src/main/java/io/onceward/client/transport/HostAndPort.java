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
    if (bracketed && host.indexOf(':') < 0) {
      return "brackets are for IPv6 addresses";
    }
    return isNumeric(host) && !isIpv4(host) ? "an IPv4 address has four numbers from 0 to 255" : "";
  }

  /** Whether it has digits and dots only. No name has, and to look one up would take its time. */
  static boolean isNumeric(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c != '.' && (c < '0' || c > '9')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIpv4(String digitsAndDots) {
    int numbers = 0;
    int start = 0;
    while (start <= digitsAndDots.length()) {
      int dot = digitsAndDots.indexOf('.', start);
      int end = dot < 0 ? digitsAndDots.length() : dot;
      int digits = end - start;
      if (digits < 1 || digits > 3 || Integer.parseInt(digitsAndDots, start, end, 10) > 255) {
        return false;
      }
      numbers++;
      start = end + 1;
    }
    return numbers == 4;
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
