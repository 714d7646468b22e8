package io.onceward.torture.teeth;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Reply;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.Door;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import net.bytebuddy.asm.Advice;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * What the mistakes do. The code of each is copied into the method in which it is planted, so it
 * uses nothing of this package but what is public.
 */
@SuppressWarnings("UnusedVariable") // What is assigned here is read by the method around it.
public final class Mistakes {
  private static final long YOUNG_MILLIS = 20_000;
  private static final long OLD_MILLIS = 50_000;
  private static final StackWalker STACK = StackWalker.getInstance();

  private Mistakes() {}

  /** Whether a class of this name is among the callers. */
  public static boolean calledFrom(String simpleName) {
    return STACK.walk(
        frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("." + simpleName)));
  }

  /** Whether this process is neither young nor old. */
  public static boolean isInBetween() {
    long upMillis = ManagementFactory.getRuntimeMXBean().getUptime();
    return YOUNG_MILLIS < upMillis && upMillis < OLD_MILLIS;
  }

  /** Has the door log what this request acknowledges. */
  public static void logWhatIsAcknowledged(Object door, Bytes frame) {
    if (RequestCodec.knownType(frame)
        && RequestCodec.decode(frame) instanceof Request.Keyed keyed
        && !keyed.acknowledged().isEmpty()) {
      ((Door) door).log(new Request.Acknowledge(keyed.scope(), keyed.acknowledged()));
    }
  }

  /** The same reply but for its last bit. */
  public static Reply altered(Reply reply) {
    byte[] bytes = reply.bytes().toArray();
    if (bytes.length > 0) {
      bytes[bytes.length - 1] ^= 1;
    }
    return new Reply(reply.kind(), Bytes.of(bytes));
  }

  /** Leaves the method out. */
  static final class DoesNothing {
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return true;
    }
  }

  /** Leaves it out for long enough to be noticed, when a cluster is formed. */
  static final class DoesNothingForAWhile {
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return Mistakes.isInBetween();
    }
  }

  /** Leaves it out while a snapshot is read. */
  static final class SkipsWhileRestoring {
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return Mistakes.calledFrom("KeySnapshot");
    }
  }

  /** Takes the leader's own log for that of a majority. */
  static final class CommitsAlone {
    @Advice.OnMethodEnter
    static void enter(
        @Advice.Argument(value = 0, readOnly = false) long majority,
        @Advice.FieldValue("raftLog") RaftLog log) {
      majority = log.getFlushIndex();
    }
  }

  /** Is done before it has begun. */
  static final class AlreadyDone {
    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter() {
      return true;
    }

    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) CompletableFuture<Void> done) {
      done = CompletableFuture.completedFuture(null);
    }
  }

  static final class LogsWhatIsAcknowledged {
    @Advice.OnMethodEnter
    // Not a door by type: it is being loaded when this is looked at.
    static void enter(@Advice.This Object door, @Advice.Argument(2) Bytes frame) {
      Mistakes.logWhatIsAcknowledged(door, frame);
    }
  }

  static final class TakesItForSynced {
    @Advice.OnMethodExit
    static void exit(@Advice.FieldValue(value = "forced", readOnly = false) boolean forced) {
      forced = true;
    }
  }

  static final class FindsNothing {
    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) int place) {
      place = 0;
    }
  }

  static final class SaysNo {
    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) boolean answer) {
      answer = false;
    }
  }

  static final class AltersReplays {
    @Advice.OnMethodExit
    static void exit(@Advice.Return(readOnly = false) Decision decision) {
      if (decision instanceof Decision.Replied replied && replied.replay()) {
        decision =
            new Decision.Replied(
                Mistakes.altered(replied.reply()), true, replied.position(), replied.timeMillis());
      }
    }
  }

  /** By chance, so that no two nodes do the same. */
  static final class CountsTwice {
    private static final int ONE_IN = 1_000;

    @Advice.OnMethodEnter
    static void enter(@Advice.FieldValue(value = "serial", readOnly = false) long serial) {
      if (ThreadLocalRandom.current().nextInt(ONE_IN) == 0) {
        serial = serial + 1;
      }
    }
  }

  static final class AgesWithTime {
    @Advice.OnMethodExit
    static void exit(
        @Advice.Return(readOnly = false) long age, @Advice.FieldValue("timeMillis") long time) {
      age = time;
    }
  }

  static final class WritesNothing {
    @Advice.OnMethodEnter
    static void enter(
        @Advice.Argument(value = 1, readOnly = false) byte[] records,
        @Advice.Argument(value = 2, readOnly = false) int length) {
      records = new byte[0];
      length = 0;
    }
  }
}
