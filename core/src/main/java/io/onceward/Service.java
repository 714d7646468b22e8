package io.onceward;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.SortedSet;

/**
 * What users write: a deterministic state machine. Onceward calls it from one thread, in log order,
 * at most once per request id, and keeps its replies.
 *
 * <p>Determinism is the whole contract: {@code execute} reads no clock, no random source and no
 * configuration of its node, and iterates in no unordered way. Time comes with the command.
 */
public interface Service {

  /**
   * Carries out one command. Validate first, then change: an unexpected {@code RuntimeException} is
   * remembered as {@link Reply#FAILED}, "executed, perhaps in part", and nothing is undone (E8). An
   * {@code Error} stops the node.
   */
  Reply execute(Command command);

  /**
   * Names the limit that stands in the way of this command, such as {@code "orders"}; empty if none
   * does. It is asked before {@link #execute} and is as deterministic. A command that meets a limit
   * is refused as {@code OVERLOADED} and changes nothing; a later copy of it may execute (B5).
   *
   * <p>Commands that only read, and those that make the state smaller, must never meet a limit:
   * else a full service could not shrink. An exception counts as no limit.
   *
   * @param bytesLeft how much {@link #stateBytes} may grow; negative after the limit was lowered
   */
  default String obstacle(Command command, long bytesLeft) {
    return "";
  }

  /**
   * About how many bytes of memory the state takes, counted against {@link
   * io.onceward.replica.Parameter#MAX_SERVICE_BYTES}. It follows from the state alone, so that
   * every replica counts the same, and costs next to nothing to ask. 0 if this service does not
   * count; then nothing but the heap limits it.
   */
  default long stateBytes() {
    return 0;
  }

  /**
   * Drops what has run out at this age (T3). Called for each entry before its commands, so what ran
   * out takes no room from other services; commands carry the age too.
   */
  default void expire(long ageMillis) {}

  /**
   * Whether anything in the state runs out as age grows. While it does, the leader lets time pass
   * in an idle log, or nothing would ever run out there (T3). An exception counts as yes.
   */
  default boolean canExpire() {
    return false;
  }

  /**
   * Whether anything here belongs to this principal, as commands name it ({@link
   * Command#principal}): then it cannot become another name of somebody else, because what it owns
   * would be out of its reach (L3). It follows from the state alone. An exception counts as yes.
   */
  default boolean owns(String principal) {
    return false;
  }

  /**
   * From here on, what {@code principal} sends comes as {@code successor}. Only one that {@link
   * #owns} nothing is renamed; what is remembered of it beyond that, such as dates up to which it
   * has forgotten something, has to be true of the successor too.
   */
  default void renamed(String principal, String successor) {}

  /**
   * The names of the services that this one can host, if it hosts several ({@link
   * io.onceward.services.ServiceDirectory}). That is a property of the node; which of them are in
   * force is decided by the log ({@link #enable}).
   */
  default SortedSet<String> offers() {
    return Collections.emptySortedSet();
  }

  /**
   * From here on these services are in force, all of them among {@link #offers}. A command or query
   * for another one must be answered as if it were not there, and its state is in no snapshot.
   */
  default void enable(SortedSet<String> names) {}

  /** Answers a question without changing anything. Not remembered, not logged. */
  default Reply query(Command question) {
    return Reply.businessError("this service answers no queries");
  }

  /**
   * A view of the present state that does not change while later commands execute; it is written
   * from another thread. Equal states write equal bytes.
   */
  Frozen freeze();

  /** Replaces the state by one that {@link Frozen#writeTo} wrote. */
  void restore(InputStream in) throws IOException;
}
