package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.client.session.SessionActions.End;
import io.onceward.replica.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What passes between the client library, its application and the network. A client is whoever
 * shares a journal, or a single process; a process is one life of it.
 */
public final class ClientEvents {
  private ClientEvents() {}

  /** The application opens a session on purpose. */
  public record Started(
      String client, int process, ClientKind kind, long nonceHigh, long nonceLow) {}

  /** A process that came back hands the application what its journal holds. */
  public record Recovered(String client, int process, List<Entry> entries) {
    /**
     * A request in the journal.
     *
     * @param wish what the application wanted with it; 0 if it is done with that
     * @param undecided whether it is sent again, or else decided or unknown for ever
     */
    public record Entry(String tag, long wish, long sequence, boolean undecided) {}
  }

  /** The library was told which incarnation of its name is the current one. */
  public record Read(String client, int process, long incarnation, long clusterTag) {}

  /** The library has a session. */
  public record Opened(String client, int process, Request.Address address) {}

  /** The application hands in a request. */
  public record Submitted(String client, int process, long sequence, String tag, long wish) {}

  /** The library sends a copy. */
  public record Sends(String client, int process, Request request) {}

  /** The library tells its application what was decided. */
  public record Tells(
      String client,
      int process,
      Request.@Nullable Address address,
      long sequence,
      long wish,
      Decision decision) {}

  /**
   * The library tells its application that the session is over.
   *
   * @param unknown the sequences that nobody will know of
   */
  public record Over(
      String client, int process, Request.@Nullable Address address, End end, List<Long> unknown) {}

  /** The application has what is known of a tag, and will not ask for it again. */
  public record Taken(String client, String tag) {}

  /** The application hands in a request under a key, or wants to abandon one. */
  public record KeySubmitted(String client, Scope scope, Key key, long wish) {}

  /** The library tells its application what was decided about a key. */
  public record KeyTells(
      String client, String principal, Scope scope, Key key, long wish, Decision decision) {}

  /** The application has the reply, and will not ask for the key again. */
  public record KeyTaken(String client, Scope scope, Key key) {}
}
