package io.onceward.testkit.teeth;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.client.session.KeyActions;
import io.onceward.client.session.KeyRequest;
import io.onceward.client.session.SessionActions;
import io.onceward.client.session.SessionRequest;
import io.onceward.replica.Request;
import io.onceward.testkit.world.Library;
import io.onceward.testkit.world.Sent;
import io.onceward.wire.Answer;
import io.onceward.wire.Timing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be wrong with the library on the caller's side. */
final class ClientBugs {
  private ClientBugs() {}

  /** Takes a retry for another request, and gives it an id of its own. */
  static final class RetriesWithAFreshId implements Library {
    @Override
    public KeyActions around(KeyActions process) {
      return new AroundKeys(process) {
        @Override
        public void send(KeyRequest asked, int copy, Request request) {
          boolean retry = copy > 1 && request instanceof Request.Keyed;
          process.send(asked, copy, retry ? fresh((Request.Keyed) request, copy) : request);
        }
      };
    }

    private static Request fresh(Request.Keyed ask, int copy) {
      Key key = Key.of(ask.key().kind(), ask.key().high(), ask.key().low() ^ copy);
      return new Request.Keyed(
          ask.scope(), key, ask.fingerprint(), ask.acknowledged(), ask.command());
    }
  }

  /** Makes each copy anew, with what belongs to the moment in it. */
  static final class RetriesWithAnotherPayload implements Library {
    @Override
    public SessionActions around(SessionActions process) {
      return new AroundSession(process) {
        @Override
        public void send(SessionRequest asked, int copy, Request request) {
          process.send(asked, copy, copy > 1 ? stamped(request, copy) : request);
        }
      };
    }

    private static Request stamped(Request request, int copy) {
      if (!(request instanceof Request.InSession ask)) {
        return request;
      }
      byte[] command = ask.command().toArray();
      command[command.length - 1] = (byte) copy;
      return new Request.InSession(
          ask.address(), ask.sequence(), ask.watermark(), ask.fingerprint(), Bytes.of(command));
    }
  }

  /** Opens a new session when one is lost, and asks again what the old one left undecided. */
  static final class ResendsAfterNoSession implements Library {
    @Override
    public boolean asksAgainAfterLoss() {
      return true;
    }
  }

  /** Takes the name back from whoever took it. */
  static final class ReopensAfterSuperseded implements Library {
    @Override
    public boolean opensAgainByItself() {
      return true;
    }
  }

  /** Believes that what it sends is as good as taken. */
  static final class WatermarkTooEarly implements Library {
    @Override
    public SessionActions around(SessionActions process) {
      return new AroundSession(process) {
        @Override
        public void send(SessionRequest asked, int copy, Request request) {
          process.send(
              asked,
              copy,
              request instanceof Request.InSession ask
                  ? new Request.InSession(
                      ask.address(),
                      ask.sequence(),
                      ask.sequence(),
                      ask.fingerprint(),
                      ask.command())
                  : request);
        }
      };
    }
  }

  /** Acknowledges a key with the very request that asks for it to be done. */
  static final class AcknowledgesTooEarly implements Library {
    @Override
    public KeyActions around(KeyActions process) {
      return new AroundKeys(process) {
        private Request.@Nullable Keyed before;

        @Override
        public void send(KeyRequest asked, int copy, Request request) {
          Request.Keyed last = before;
          if (request instanceof Request.Keyed ask) {
            before = ask;
            if (last != null && last.scope().equals(ask.scope()) && !last.key().equals(ask.key())) {
              process.send(
                  asked,
                  copy,
                  new Request.Keyed(
                      ask.scope(),
                      ask.key(),
                      ask.fingerprint(),
                      List.of(last.key()),
                      ask.command()));
              return;
            }
          }
          process.send(asked, copy, request);
        }
      };
    }
  }

  /** What is taken for a word that the request never ran. */
  enum Silence {
    NOT_LEADER,
    UNKNOWN
  }

  /** A copy that did nothing here, or of which nobody knows, counts as never. */
  static final class TakesItForNever implements Library {
    private final Silence what;

    TakesItForNever(Silence what) {
      this.what = what;
    }

    @Override
    public @Nullable Answer heard(SessionRequest asked, int copy, Answer answer) {
      return asked.sequence() > 0 ? never(answer) : answer;
    }

    @Override
    public @Nullable Answer heard(KeyRequest asked, int copy, Answer answer) {
      return never(answer);
    }

    private Answer never(Answer answer) {
      boolean silent =
          what == Silence.NOT_LEADER
              ? answer instanceof Answer.NotLeader
              : answer instanceof Answer.Unknown;
      return silent ? new Answer.Decided(new Decision.Refused(Refusal.ABANDONED), 0) : answer;
    }
  }

  /** Gives an answer to whoever asked last. */
  static final class AnswerForAnother implements Library {
    @Override
    public Sent meant(Sent asked, List<Sent> all) {
      Sent last = asked;
      for (Sent other : all) {
        if (other.isOfSameLogic(asked) && other.isCommand() && asked.isCommand()) {
          last = other;
        }
      }
      return last;
    }
  }

  /** Ends the request with the caller's wait. */
  static final class DeadlineEndsTheRequest implements Library {
    @Override
    public SessionActions around(SessionActions process) {
      return new AroundSession(process) {
        private final Set<SessionRequest> over = new HashSet<>();

        @Override
        public void waitEnded(SessionRequest request) {
          over.add(request);
          process.waitEnded(request);
        }

        @Override
        public void send(SessionRequest asked, int copy, Request request) {
          if (!over.contains(asked)) {
            process.send(asked, copy, request);
          }
        }
      };
    }
  }

  /** Goes on sending what was under way when the session ended. */
  static final class SendsAfterTheEnd implements Library {
    @Override
    public SessionActions around(SessionActions process) {
      return new AroundSession(process) {
        private final List<Runnable> last = new ArrayList<>();

        @Override
        public void send(SessionRequest asked, int copy, Request request) {
          last.add(() -> process.send(asked, copy, request));
          process.send(asked, copy, request);
        }

        @Override
        public void ended(End end, List<SessionRequest> unknown) {
          process.ended(end, unknown);
          if (!unknown.isEmpty()) {
            last.get(last.size() - 1).run();
          }
        }
      };
    }
  }

  /** Lets idle sessions speak as it always did, whatever the cluster says. */
  static final class KeepsItsOwnPace implements Library {
    @Override
    public @Nullable Timing heard(Timing timing) {
      return null;
    }
  }

  /** Opens a node's name as if nobody had had it before. */
  static final class AutoWithoutPredecessor implements Library {
    @Override
    public SessionActions around(SessionActions process) {
      return new AroundSession(process) {
        @Override
        public void send(SessionRequest asked, int copy, Request request) {
          process.send(
              asked,
              copy,
              request instanceof Request.Open open && open.kind() == ClientKind.AUTO
                  ? new Request.Open(
                      open.kind(),
                      open.name(),
                      open.nonceHigh(),
                      open.nonceLow(),
                      0,
                      0,
                      false,
                      open.ordered(),
                      open.window())
                  : request);
        }
      };
    }
  }

  /** Forgets to tell what was undecided when a session is lost. */
  static final class LosesInSilence implements Library {
    @Override
    public SessionActions around(SessionActions process) {
      return new AroundSession(process) {
        @Override
        public void ended(End end, List<SessionRequest> unknown) {
          process.ended(end, List.of());
        }
      };
    }
  }
}
