package io.onceward.wire;

/**
 * A node of a cluster and where it can be reached.
 *
 * @param id its name within the cluster
 * @param clientPort where clients reach it
 * @param peerPort where other members reach it
 */
public record Member(String id, String host, int clientPort, int peerPort) {

  /** Where clients reach it, as {@code host:port}. */
  public String clientAddress() {
    return host + ":" + clientPort;
  }

  /** Where other members reach it, as {@code host:port}. */
  public String peerAddress() {
    return host + ":" + peerPort;
  }
}
