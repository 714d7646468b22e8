package io.onceward;

import java.io.IOException;
import java.io.InputStream;

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
