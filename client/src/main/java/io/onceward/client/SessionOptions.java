package io.onceward.client;

import io.onceward.ClientKind;
import io.onceward.client.session.SessionPlan;

/**
 * Which session to open. Immutable: each method gives another one.
 *
 * <pre>{@code
 * onceward.open(SessionOptions.auto("node-7").unordered().window(4096));
 * }</pre>
 */
public final class SessionOptions {
  private final ClientKind kind;
  private final String name;
  private final boolean ordered;
  private final int window;

  private SessionOptions(ClientKind kind, String name, boolean ordered, int window) {
    this.kind = kind;
    this.name = name;
    this.ordered = ordered;
    this.window = window;
  }

  /** An anonymous client, named by the log. */
  public static SessionOptions registered() {
    return new SessionOptions(ClientKind.REGISTERED, "", true, 0);
  }

  /**
   * The name of a node that one process uses at a time: opening it again drops what an earlier
   * process had (S3).
   *
   * @param name 1 to 128 bytes in UTF-8
   * @throws IllegalArgumentException if it is not
   */
  public static SessionOptions auto(String name) {
    SessionPlan.checkName(name);
    return new SessionOptions(ClientKind.AUTO, name, true, 0);
  }

  /**
   * A stable name, without a journal: the session goes on behind what an earlier process did, and
   * what that one left undecided is abandoned (S2). With a journal: {@link Onceward#openDurable}.
   *
   * @param name 1 to 128 bytes in UTF-8
   * @throws IllegalArgumentException if it is not
   */
  public static SessionOptions durable(String name) {
    SessionPlan.checkName(name);
    return new SessionOptions(ClientKind.DURABLE, name, true, 0);
  }

  /** Requests may overtake each other; each still happens once. */
  public SessionOptions unordered() {
    return new SessionOptions(kind, name, false, window);
  }

  /** Requests take effect in the order in which they were submitted; this is the default. */
  public SessionOptions ordered() {
    return new SessionOptions(kind, name, true, window);
  }

  /** How far requests may run ahead of the oldest one without a reply; 0 for the default, 1024. */
  public SessionOptions window(int requests) {
    if (requests < 0) {
      throw new IllegalArgumentException("a window of " + requests + " requests");
    }
    return new SessionOptions(kind, name, ordered, requests);
  }

  ClientKind kind() {
    return kind;
  }

  String name() {
    return name;
  }

  boolean isOrdered() {
    return ordered;
  }

  int window() {
    return window;
  }
}
