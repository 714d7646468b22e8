package io.onceward.guard;

import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the guard tells about one copy of a request. */
public sealed interface Ruling {
  /** Whether the request took effect, as far as is known. */
  Executed executed();

  /**
   * It executed.
   *
   * @param replay whether this copy was given the reply of another, earlier or at the same time
   */
  record Replied(Reply reply, boolean replay) implements Ruling {
    @Override
    public Executed executed() {
      return Executed.YES;
    }
  }

  /** This copy was turned away and did nothing. */
  record Refused(Refusal refusal, String limit) implements Ruling {
    @Override
    public Executed executed() {
      return refusal == Refusal.MISMATCH ? Executed.NOT_THIS_COPY : Executed.of(refusal.executed());
    }
  }

  /** Another run is under way and did not end while this copy waited. Send it again later. */
  record InProgress(Duration retryAfter) implements Ruling {
    @Override
    public Executed executed() {
      return Executed.NOT_THIS_COPY;
    }
  }

  /**
   * It was started and nobody knows whether it happened. It is not run again until that is known.
   *
   * @param cause what the effect threw, if it was this copy that ran it
   * @param resendSettles whether the same id, sent again, finds out what happened: only the answer
   *     was lost, of a commit for example. Otherwise a probe or an operator has to resolve it.
   */
  record Unknown(String why, @Nullable Throwable cause, boolean resendSettles) implements Ruling {
    /** One that a probe or an operator has to resolve. */
    public Unknown(String why, @Nullable Throwable cause) {
      this(why, cause, false);
    }

    @Override
    public Executed executed() {
      return Executed.UNKNOWN;
    }
  }

  /** The effect said that it did not happen. The same id may be sent again and then runs. */
  record DidNotHappen(Throwable cause) implements Ruling {
    @Override
    public Executed executed() {
      return Executed.NOT_THIS_COPY;
    }
  }

  /** The store could not be asked, so nothing was run: the guard fails closed. */
  record NoStore(Throwable cause) implements Ruling {
    @Override
    public Executed executed() {
      return Executed.NOT_THIS_COPY;
    }
  }
}
