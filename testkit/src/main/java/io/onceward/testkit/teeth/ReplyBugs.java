package io.onceward.testkit.teeth;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.replica.Request;
import io.onceward.testkit.world.StateMachine;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** What can be wrong with what is executed and told. */
final class ReplyBugs {
  private ReplyBugs() {}

  static Request withoutFingerprint(Request request) {
    if (request instanceof Request.InSession ask && ask.fingerprint() != null) {
      return new Request.InSession(
          ask.address(), ask.sequence(), ask.watermark(), null, ask.command());
    }
    if (request instanceof Request.Keyed ask && ask.fingerprint() != null) {
      return new Request.Keyed(ask.scope(), ask.key(), null, ask.acknowledged(), ask.command());
    }
    return request;
  }

  static final class FingerprintIgnored extends Around {
    FingerprintIgnored(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return withoutFingerprint(incoming.request());
    }
  }

  /** Notices another payload under the same id, and executes it. */
  static final class MismatchExecutes extends Around {
    MismatchExecutes(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      Request bare = withoutId(incoming.request());
      String id = id(incoming);
      if (bare == null || id == null) {
        return incoming.request();
      }
      if (!(outcome(incoming) instanceof Outcome.Executed)) {
        notes.put(id, fingerprint(incoming.request()));
        return incoming.request();
      }
      long carried = fingerprint(incoming.request());
      return carried != 0 && notes.getOrDefault(id, carried) != carried ? bare : incoming.request();
    }

    private static @Nullable String id(Incoming incoming) {
      if (incoming.request() instanceof Request.InSession ask) {
        return incoming.principal() + ask.address() + ask.sequence();
      }
      return incoming.request() instanceof Request.Keyed ask
          ? incoming.principal() + ask.scope() + ask.key()
          : null;
    }

    private static long fingerprint(Request request) {
      if (request instanceof Request.InSession ask && ask.fingerprint() != null) {
        return ask.fingerprint().bits();
      }
      return request instanceof Request.Keyed ask && ask.fingerprint() != null
          ? ask.fingerprint().bits()
          : 0;
    }
  }

  /** Replays the reply that some other session got last. */
  static final class ReplyOfAnotherSession extends Around {
    private @Nullable Reply last;
    private long lastSession;

    ReplyOfAnotherSession(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      if (!(decision instanceof Decision.Replied replied)
          || !(incoming.request() instanceof Request.InSession ask)) {
        return decision;
      }
      Reply other = last;
      if (replied.replay() && other != null && lastSession != ask.address().session()) {
        return new Decision.Replied(other, true, replied.position(), replied.timeMillis());
      }
      last = replied.reply();
      lastSession = ask.address().session();
      return decision;
    }
  }

  /** Tells a retry that the request was processed already, and not what it answered. */
  static final class ToldAlreadyProcessed extends Around {
    ToldAlreadyProcessed(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      return decision instanceof Decision.Replied replied && replied.replay()
          ? new Decision.Refused(Refusal.ACKNOWLEDGED)
          : decision;
    }
  }

  /** Validates a retry before it looks up the id: the name is taken, by the same request. */
  static final class ValidatedAgain extends Around {
    ValidatedAgain(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      return decision instanceof Decision.Replied replied
              && replied.replay()
              && replied.reply().kind() == Reply.Kind.OK
          ? new Decision.Replied(
              Reply.businessError(replied.reply().bytes()),
              true,
              replied.position(),
              replied.timeMillis())
          : decision;
    }
  }

  /** Keeps no record of executions that ended in this way. */
  static final class NotRecorded extends Around {
    private final Reply.Kind kind;

    NotRecorded(Place place, StateMachine inner, Reply.Kind kind) {
      super(place, inner);
      this.kind = kind;
    }

    @Override
    Request change(Incoming incoming) {
      Request bare = withoutId(incoming.request());
      return bare != null
              && outcome(incoming) instanceof Outcome.Executed executed
              && executed.reply().kind() == kind
          ? bare
          : incoming.request();
    }
  }

  /** Says "never" about what an abandon finds executed. */
  static final class AbandonDeniesTheExecution extends Around {
    AbandonDeniesTheExecution(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      boolean abandons =
          incoming.request() instanceof Request.AbandonKey
              || incoming.request() instanceof Request.AbandonSequence;
      return abandons && decision instanceof Decision.Replied
          ? new Decision.Abandoned(true)
          : decision;
    }
  }

  /** Asks the service under the name that somebody used, as a replica that shipped once did. */
  static final class QueriesIgnoreOtherNames extends Around {
    QueriesIgnoreOtherNames(Place place, StateMachine inner) {
      super(place, inner);
    }

    /** The simulated service answers as whom it was asked. */
    @Override
    public Reply query(String principal, Bytes question) {
      return Reply.ok(Bytes.utf8(principal));
    }
  }

  /** A service around the user's. */
  abstract static class AroundService implements Service {
    final int node;
    final Service real;

    AroundService(int node, Service real) {
      this.node = node;
      this.real = real;
    }

    @Override
    public String obstacle(Command command, long bytesLeft) {
      return real.obstacle(command, bytesLeft);
    }

    @Override
    public long stateBytes() {
      return real.stateBytes();
    }

    @Override
    public void expire(long ageMillis) {
      real.expire(ageMillis);
    }

    @Override
    public boolean canExpire() {
      return real.canExpire();
    }

    @Override
    public boolean owns(String principal) {
      return real.owns(principal);
    }

    @Override
    public void renamed(String principal, String successor) {
      real.renamed(principal, successor);
    }

    @Override
    public Reply query(Command question) {
      return real.query(question);
    }

    @Override
    public Frozen freeze() {
      return real.freeze();
    }

    @Override
    public void restore(InputStream in) throws IOException {
      real.restore(in);
    }
  }

  /** Puts the text of an exception into the reply, as this node's JVM words it. */
  static final class ExceptionTextInTheReply extends AroundService {
    ExceptionTextInTheReply(int node, Service real) {
      super(node, real);
    }

    @Override
    public Reply execute(Command command) {
      try {
        return real.execute(command);
      } catch (RuntimeException e) {
        return Reply.businessError(Bytes.utf8(e.getMessage() + node));
      }
    }
  }

  /** Takes what it is given, whether there is room or not (B5). */
  static final class LimitIgnored extends AroundService {
    LimitIgnored(int node, Service real) {
      super(node, real);
    }

    @Override
    public String obstacle(Command command, long bytesLeft) {
      return "";
    }

    @Override
    public Reply execute(Command command) {
      return real.execute(command);
    }
  }

  /** Answers with what comes first out of a set, and each JVM has its own order. */
  static final class UnorderedIteration extends AroundService {
    UnorderedIteration(int node, Service real) {
      super(node, real);
    }

    @Override
    public Reply execute(Command command) {
      Reply reply = real.execute(command);
      byte[] bytes = reply.bytes().toArray();
      if (bytes.length > 0 && command.position() % 8 == 0) {
        bytes[bytes.length - 1] = (byte) node;
      }
      return new Reply(reply.kind(), Bytes.of(bytes));
    }
  }
}
