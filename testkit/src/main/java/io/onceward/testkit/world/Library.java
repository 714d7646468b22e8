package io.onceward.testkit.world;

import io.onceward.client.session.Journal;
import io.onceward.client.session.KeyActions;
import io.onceward.client.session.KeyRequest;
import io.onceward.client.session.SessionActions;
import io.onceward.client.session.SessionRequest;
import io.onceward.wire.Answer;
import io.onceward.wire.Timing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands between the client's logic that ships and the process that runs it. As written here
 * it is nothing; a planted bug changes what goes out, what comes in, or what gets to disk. Each
 * process has one of its own.
 */
public interface Library {

  /** What a session's logic does to the world around it. */
  default SessionActions around(SessionActions process) {
    return process;
  }

  default KeyActions around(KeyActions process) {
    return process;
  }

  /** Where a session's logic writes. */
  default Journal around(JournalDisk disk) {
    return disk;
  }

  /** What a session's logic hears in place of an answer; null for nothing. */
  default @Nullable Answer heard(SessionRequest asked, int copy, Answer answer) {
    return answer;
  }

  default @Nullable Answer heard(KeyRequest asked, int copy, Answer answer) {
    return answer;
  }

  /** What a session's logic hears of the timing that its node tells; null for nothing. */
  default @Nullable Timing heard(Timing timing) {
    return timing;
  }

  /** The copy that an answer is taken for, of all that were sent, the latest last. */
  default Sent meant(Sent asked, List<Sent> all) {
    return asked;
  }

  /** Whether what a lost session left undecided is asked again in the next one (S8 forbids it). */
  default boolean asksAgainAfterLoss() {
    return false;
  }

  /** Whether a superseded session is opened again without the application's word (S4 forbids). */
  default boolean opensAgainByItself() {
    return false;
  }
}
