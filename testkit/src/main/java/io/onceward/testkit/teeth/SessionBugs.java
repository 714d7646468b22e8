package io.onceward.testkit.teeth;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.testkit.world.StateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be wrong with sessions. */
final class SessionBugs {
  private SessionBugs() {}

  /** Drops the reply at the watermark too. */
  static final class WatermarkOffByOne extends Around {
    WatermarkOffByOne(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      if (incoming.request() instanceof Request.InSession ask
          && ask.watermark() < ask.sequence()
          && inner.outcome(incoming.principal(), ask.address(), ask.watermark())
              instanceof Outcome.Executed) {
        return new Request.InSession(
            ask.address(), ask.sequence(), ask.watermark() + 1, ask.fingerprint(), ask.command());
      }
      return incoming.request();
    }
  }

  /** Takes a watermark that passes undecided sequences for the last true one. */
  static final class BadWatermarkAccepted extends Around {
    BadWatermarkAccepted(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return incoming.request() instanceof Request.InSession ask && ask.watermark() > ask.sequence()
          ? new Request.InSession(
              ask.address(), ask.sequence(), 1, ask.fingerprint(), ask.command())
          : incoming.request();
    }
  }

  /** Tells whoever knows a session what it has, as if the present incarnation asked. */
  static final class OutcomeNotFenced extends Around {
    OutcomeNotFenced(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    public Outcome outcome(String principal, Request.Address address, long sequence) {
      for (SessionView view : inner.sessions()) {
        if (view.session() == address.session()) {
          Request.Address present =
              new Request.Address(address.clusterTag(), view.session(), view.incarnation());
          return inner.outcome(principal, present, sequence);
        }
      }
      return inner.outcome(principal, address, sequence);
    }
  }

  static final class NonceIgnored extends Around {
    NonceIgnored(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return incoming.request() instanceof Request.Open open
          ? new Request.Open(
              open.kind(),
              open.name(),
              incoming.position(),
              incoming.ordinal(),
              open.clusterTag(),
              open.predecessor(),
              open.fromJournal(),
              open.ordered(),
              open.window())
          : incoming.request();
    }
  }

  static final class PredecessorIgnored extends Around {
    PredecessorIgnored(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      if (!(incoming.request() instanceof Request.Open open)
          || open.kind() == ClientKind.REGISTERED) {
        return incoming.request();
      }
      long current =
          inner
              .session(incoming.principal(), open.kind(), open.name())
              .map(SessionView::incarnation)
              .orElse(0L);
      return new Request.Open(
          open.kind(),
          open.name(),
          open.nonceHigh(),
          open.nonceLow(),
          inner.clusterId().tag(),
          current,
          open.fromJournal(),
          open.ordered(),
          open.window());
    }
  }

  /**
   * Takes an auto client for a durable one, so that a new process inherits the dead one's window.
   */
  static final class AutoInherits extends Around {
    private static final String PREFIX = "auto ";

    AutoInherits(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return incoming.request() instanceof Request.Open open && open.kind() == ClientKind.AUTO
          ? new Request.Open(
              ClientKind.DURABLE,
              PREFIX + open.name(),
              open.nonceHigh(),
              open.nonceLow(),
              open.clusterTag(),
              open.predecessor(),
              open.fromJournal(),
              open.ordered(),
              open.window())
          : incoming.request();
    }

    @Override
    public Optional<SessionView> session(String principal, ClientKind kind, String name) {
      return kind == ClientKind.AUTO
          ? inner.session(principal, ClientKind.DURABLE, PREFIX + name)
          : inner.session(principal, kind, name);
    }
  }

  /** Names a session by the position of its entry alone. */
  static final class OrdinalLeftOut extends Around {
    private static final long ORDINAL_MASK = 0xFFFF;

    OrdinalLeftOut(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      return decision instanceof Decision.Opened opened
          ? new Decision.Opened(
              opened.session() & ~ORDINAL_MASK,
              opened.incarnation() & ~ORDINAL_MASK,
              opened.watermark(),
              opened.nextSequence(),
              opened.window(),
              opened.ordered())
          : decision;
    }
  }

  /** Opens without a journal as if there were one, so nobody closes the holes. */
  static final class HolesKept extends Around {
    HolesKept(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return incoming.request() instanceof Request.Open open
          ? new Request.Open(
              open.kind(),
              open.name(),
              open.nonceHigh(),
              open.nonceLow(),
              open.clusterTag(),
              open.predecessor(),
              true,
              open.ordered(),
              open.window())
          : incoming.request();
    }
  }

  static final class OrderIgnored extends Around {
    OrderIgnored(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return incoming.request() instanceof Request.Open open
          ? new Request.Open(
              open.kind(),
              open.name(),
              open.nonceHigh(),
              open.nonceLow(),
              open.clusterTag(),
              open.predecessor(),
              open.fromJournal(),
              false,
              open.window())
          : incoming.request();
    }

    @Override
    Decision told(Incoming incoming, Decision decision) {
      return decision instanceof Decision.Opened opened
              && incoming.request() instanceof Request.Open open
          ? new Decision.Opened(
              opened.session(),
              opened.incarnation(),
              opened.watermark(),
              opened.nextSequence(),
              opened.window(),
              open.ordered())
          : decision;
    }
  }

  /** Whose messages a bug lets through although their address is wrong. */
  enum Unfenced {
    CLOSE,
    COMMAND,
    KEEP_ALIVE,
    CLUSTER
  }

  /** Puts the current address in place of the one that was sent. */
  static final class NotFenced extends Around {
    private final Unfenced what;

    NotFenced(Place place, StateMachine inner, Unfenced what) {
      super(place, inner);
      this.what = what;
    }

    @Override
    Request change(Incoming incoming) {
      Request request = incoming.request();
      if (request instanceof Request.Close ask && what == Unfenced.CLOSE) {
        return new Request.Close(current(ask.address()));
      }
      if (request instanceof Request.KeepAlive ask && what == Unfenced.KEEP_ALIVE) {
        return new Request.KeepAlive(current(ask.address()), ask.watermark());
      }
      if (request instanceof Request.InSession ask
          && (what == Unfenced.COMMAND || what == Unfenced.CLUSTER)) {
        return new Request.InSession(
            current(ask.address()),
            ask.sequence(),
            ask.watermark(),
            ask.fingerprint(),
            ask.command());
      }
      return request;
    }

    private Request.Address current(Request.Address address) {
      if (what == Unfenced.CLUSTER) {
        return new Request.Address(
            inner.clusterId().tag(), address.session(), address.incarnation());
      }
      SessionView view = session(address.session());
      return view == null
          ? address
          : new Request.Address(address.clusterTag(), address.session(), view.incarnation());
    }
  }

  /** Lets anyone speak in anyone's session. */
  static final class PrincipalNotChecked extends Around {
    PrincipalNotChecked(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    String principal(Incoming incoming) {
      SessionView view =
          incoming.request() instanceof Request.InSession ask
              ? session(ask.address().session())
              : null;
      return view == null ? incoming.principal() : view.principal();
    }
  }

  /** What comes from a session that is gone executes as if in a new one. */
  static final class ExpiredExecutes extends Around {
    ExpiredExecutes(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      Request bare = withoutId(incoming.request());
      return bare != null
              && incoming.request() instanceof Request.InSession ask
              && session(ask.address().session()) == null
          ? bare
          : incoming.request();
    }
  }

  /** Makes room by closing the session that was idle for longest. */
  static final class LiveSessionEvicted extends Around {
    private static final int MOST_SESSIONS = 3;

    LiveSessionEvicted(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    List<Proposal> extra(long position) {
      List<SessionView> views = inner.sessions();
      SessionView idle = null;
      for (SessionView view : views) {
        if (idle == null || view.idleMillis() > idle.idleMillis()) {
          idle = view;
        }
      }
      return idle == null || views.size() <= MOST_SESSIONS
          ? List.of()
          : List.of(new Proposal(idle.principal(), new Request.Close(currentAddress(idle))));
    }
  }

  static final class NothingExpires extends Around {
    NothingExpires(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    List<Proposal> extra(long position) {
      List<Proposal> kept = new ArrayList<>();
      for (SessionView view : inner.sessions()) {
        kept.add(new Proposal(view.principal(), new Request.KeepAlive(currentAddress(view), 1)));
      }
      return kept;
    }
  }

  /** Answers keep-alives and does nothing about them. */
  static final class KeepAliveIgnored extends Around {
    KeepAliveIgnored(Place place, StateMachine inner) {
      super(place, inner);
    }

    @Override
    Request change(Incoming incoming) {
      return isTrue(incoming) ? new Request.Tick() : incoming.request();
    }

    private boolean isTrue(Incoming incoming) {
      if (!(incoming.request() instanceof Request.KeepAlive ask)) {
        return false;
      }
      @Nullable SessionView view = session(ask.address().session());
      return view != null
          && view.principal().equals(incoming.principal())
          && ask.address().clusterTag() != 0
          && currentAddress(view).equals(ask.address())
          && ask.watermark() <= view.watermark();
    }
  }
}
