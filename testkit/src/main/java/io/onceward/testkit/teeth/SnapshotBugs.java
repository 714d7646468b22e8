package io.onceward.testkit.teeth;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.replica.Request;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** What can be wrong with a snapshot. */
final class SnapshotBugs {
  private SnapshotBugs() {}

  static Request withoutSessions(Retelling.Told told) {
    Request request = told.request();
    boolean ofSession =
        request instanceof Request.Open
            || request instanceof Request.InSession
            || request instanceof Request.KeepAlive
            || request instanceof Request.AbandonSequence
            || request instanceof Request.Close;
    return ofSession ? told.effectOnly() : request;
  }

  static Request withoutKeys(Retelling.Told told) {
    Request request = told.request();
    boolean ofKey =
        request instanceof Request.Keyed
            || request instanceof Request.AbandonKey
            || request instanceof Request.Acknowledge;
    return ofKey ? told.effectOnly() : request;
  }

  /** The record of the last entry was to be written after its replies were sent. */
  static Request withoutLatestRecords(Retelling.Told told) {
    return told.ofLastEntry() && told.executed() ? told.effectOnly() : told.request();
  }

  static Request firstHalfOfTheLastBatch(Retelling.Told told) {
    return told.ofLastEntry() && told.place() >= (told.of() + 1) / 2
        ? new Request.Tick()
        : told.request();
  }

  static Request withoutAbandoned(Retelling.Told told) {
    boolean abandons =
        told.request() instanceof Request.AbandonKey
            || told.request() instanceof Request.AbandonSequence;
    return abandons ? new Request.Tick() : told.request();
  }

  static Request withoutFingerprints(Retelling.Told told) {
    return ReplyBugs.withoutFingerprint(told.request());
  }

  static Request withoutAcknowledgements(Retelling.Told told) {
    if (told.request() instanceof Request.Keyed ask) {
      return new Request.Keyed(ask.scope(), ask.key(), ask.fingerprint(), List.of(), ask.command());
    }
    return told.request() instanceof Request.Acknowledge ? new Request.Tick() : told.request();
  }

  /** Remembers that requests executed, not what they answered. */
  static final class WithoutReplies implements Retelling {
    @Override
    public Request retell(Told told) {
      return told.request();
    }

    @Override
    public Service service(Service real) {
      return new Service() {
        @Override
        public Reply execute(Command command) {
          return new Reply(real.execute(command).kind(), Bytes.EMPTY);
        }

        @Override
        public Frozen freeze() {
          return real.freeze();
        }

        @Override
        public void restore(InputStream in) throws IOException {
          real.restore(in);
        }
      };
    }
  }
}
