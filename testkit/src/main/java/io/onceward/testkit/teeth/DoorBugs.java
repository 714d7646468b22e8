package io.onceward.testkit.teeth;

import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.testkit.world.Ask;
import io.onceward.testkit.world.DoorPolicy;
import io.onceward.testkit.world.ReplicaMachine;
import io.onceward.testkit.world.StateMachine;
import io.onceward.testkit.world.WishService;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be wrong with a leader that answers on its own account. */
final class DoorBugs {
  private DoorBugs() {}

  /** Takes two requests for one because they share an id. */
  static final DoorPolicy TWINS_WITHOUT_FINGERPRINT =
      new DoorPolicy() {
        @Override
        public @Nullable Twin twin(Ask.Copy copy) {
          Twin twin = DoorPolicy.super.twin(copy);
          return twin == null ? null : new Twin(twin.principal(), twin.id(), null);
        }
      };

  /** Takes two requests for one because they share an id, whoever sent them. */
  static final DoorPolicy TWINS_WITHOUT_PRINCIPAL =
      new DoorPolicy() {
        @Override
        public @Nullable Twin twin(Ask.Copy copy) {
          Twin twin = DoorPolicy.super.twin(copy);
          return twin == null ? null : new Twin("", twin.id(), twin.fingerprint());
        }
      };

  /** The engine says "not leader", so the request did not happen. Or so it seems. */
  static final DoorPolicy LOST_IS_CALLED_NEVER =
      new DoorPolicy() {
        @Override
        public @Nullable Decision whenLost(Ask.Copy copy) {
          return Around.withoutId(copy.request()) == null
              ? null
              : new Decision.Refused(Refusal.ABANDONED);
        }
      };

  /** Closes an unseen id without telling anybody. */
  static final DoorPolicy ABANDONS_WITHOUT_THE_LOG =
      new DoorPolicy() {
        @Override
        public @Nullable Decision withoutLog(Ask.Copy copy, StateMachine machine) {
          boolean unseen =
              copy.request() instanceof Request.AbandonKey ask
                  && machine.outcome(copy.principal(), ask.scope(), ask.key())
                      instanceof Outcome.NeverSeen;
          return unseen ? new Decision.Abandoned(true) : null;
        }
      };

  /** Knows no such session, since it has not applied its opening yet. */
  static final DoorPolicy NO_SESSION_FROM_A_STALE_TABLE =
      new DoorPolicy() {
        @Override
        public @Nullable Decision withoutLog(Ask.Copy copy, StateMachine machine) {
          if (!(copy.request() instanceof Request.InSession ask)) {
            return null;
          }
          for (SessionView view : machine.sessions()) {
            if (view.session() == ask.address().session()) {
              return null;
            }
          }
          return new Decision.Refused(Refusal.NO_SESSION);
        }
      };

  /** Lets retries wait for a twin that was lost with an earlier term. */
  static final DoorPolicy TWINS_WAIT_FOR_EVER =
      new DoorPolicy() {
        @Override
        public boolean forgetsTwins() {
          return false;
        }
      };

  /** Reads its table at once, and does not ask whether it still leads. */
  static final DoorPolicy READS_WITHOUT_A_BARRIER =
      new DoorPolicy() {
        @Override
        public boolean readsAtOnce() {
          return true;
        }
      };

  /** Tells what an entry will do as soon as the leader has written it to its own disk. */
  static final DoorPolicy REPLIES_BEFORE_COMMIT =
      new DoorPolicy() {
        @Override
        public @Nullable Decision beforeCommit(
            Ask.Copy copy,
            StateMachine machine,
            long position,
            long term,
            byte[] entry,
            int ordinal) {
          List<Decision> decisions = new ArrayList<>();
          StateMachine ahead = copyOf(machine);
          ahead.apply(position, term, entry, (place, decision) -> decisions.add(decision));
          Decision decision = decisions.get(ordinal);
          return decision instanceof Decision.Replied ? decision : null;
        }
      };

  private static StateMachine copyOf(StateMachine machine) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Frozen frozen = machine.freeze();
      frozen.writeTo(out);
      WishService service = new WishService(0, execution -> {});
      return ReplicaMachine.MAKER.restore(
          new StateMachine.Place(0, () -> 0L, service),
          new ByteArrayInputStream(out.toByteArray()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
