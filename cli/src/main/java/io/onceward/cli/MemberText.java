package io.onceward.cli;

import io.onceward.wire.Member;
import java.util.regex.Pattern;

/** A {@link Member} as people write it: {@code ID=HOST:PORT} or {@code ID=HOST:PORT/PEERPORT}. */
final class MemberText {
  static final String FORM = "ID=HOST:PORT[/PEERPORT], such as node1=127.0.0.1:7400";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final int LAST_PORT = 65_535;

  private MemberText() {}

  /**
   * Reads a member. Without a peer port, it is the one after the client port.
   *
   * @throws IllegalArgumentException if it is none; the message says what is allowed
   */
  static Member parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException("a member is " + FORM + ", not \"" + text + "\"");
    }
    return parseAddress(text.substring(0, equals), text.substring(equals + 1));
  }

  /** A member with this id at {@code HOST:PORT[/PEERPORT]}. */
  static Member parseAddress(String id, String address) {
    int slash = address.lastIndexOf('/');
    String client = slash < 0 ? address : address.substring(0, slash);
    int colon = colon(client);
    int clientPort = port(client.substring(colon + 1), address);
    int peerPort = slash < 0 ? clientPort + 1 : port(address.substring(slash + 1), address);
    if (peerPort > LAST_PORT) {
      throw new IllegalArgumentException(
          "there is no port after "
              + clientPort
              + " for the peers in \""
              + address
              + "\"; name one, as in "
              + client
              + "/7401");
    }
    if (peerPort == clientPort) {
      throw new IllegalArgumentException(
          "clients and peers need different ports, not both " + clientPort);
    }
    return new Member(checkId(id), client.substring(0, colon), clientPort, peerPort);
  }

  /** The address itself, if it is {@code HOST:PORT}, where clients reach a node. */
  static String checkAddress(String address) {
    if (address.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "a node's address is HOST:PORT, such as 127.0.0.1:7400, not \"" + address + "\"");
    }
    port(address.substring(colon(address) + 1), address);
    return address;
  }

  /** Where the host ends. A second colon is an IPv6 address, which needs its brackets. */
  private static int colon(String address) {
    int colon = address.lastIndexOf(':');
    if (colon < 1 || address.indexOf(':') != colon && !address.startsWith("[")) {
      throw new IllegalArgumentException(
          "an address is HOST:PORT, such as 127.0.0.1:7400, not \"" + address + "\"");
    }
    return colon;
  }

  /** The id itself, if it may be one. */
  static String checkId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "the id of a node is 1 to 64 letters, digits, dots, dashes and underscores, beginning with"
              + " a letter or digit, not \""
              + id
              + "\"");
    }
    return id;
  }

  private static int port(String text, String address) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 1 && port <= LAST_PORT) {
        return port;
      }
    } catch (NumberFormatException notANumber) {
      // Said below, as for a number out of range.
    }
    throw new IllegalArgumentException(
        "a port is a number from 1 to "
            + LAST_PORT
            + ", not \""
            + text
            + "\" in \""
            + address
            + "\"");
  }

  static String print(Member member) {
    return member.id() + "=" + address(member);
  }

  static String address(Member member) {
    return member.clientAddress() + "/" + member.peerPort();
  }
}
