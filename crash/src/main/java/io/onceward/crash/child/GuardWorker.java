package io.onceward.crash.child;

import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.crash.bank.Transfer;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Finding;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import io.onceward.guard.Probe;
import io.onceward.guard.UnknownRequest;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Transfers at the outside bank, guarded. Some lanes have a probe that asks the bank; the others
 * leave what is unknown to an operator.
 */
final class GuardWorker implements Worker {
  /** Short, because everybody waits for it after a kill. */
  private static final Duration LEASE = Duration.ofMillis(400);

  private static final int QUEUE = 10_000;

  /** Opens the store of a lane. */
  interface Opening {
    ClaimStore open() throws Exception;
  }

  private final Opening opening;
  private final BankCall bank;
  private final boolean hasProbe;
  private @Nullable Guard guard;
  private volatile boolean probed;

  GuardWorker(Opening opening, BankCall bank, boolean hasProbe) {
    this.opening = opening;
    this.bank = bank;
    this.hasProbe = hasProbe;
  }

  @Override
  public void prepare() throws Exception {
    Guard.Builder builder =
        Guard.on(opening.open())
            .lease(LEASE)
            .pollEvery(Duration.ofMillis(20))
            .classify(
                failure ->
                    failure instanceof BankCall.SettledException
                        ? Meaning.DID_NOT_HAPPEN
                        : Meaning.UNKNOWN);
    Probe probe = this::look;
    guard = hasProbe ? builder.probe(probe).build() : builder.build();
  }

  private Finding look(UnknownRequest request) throws IOException {
    probed = true;
    Reply outcome = bank.settle(request.memo(), request.fence());
    return outcome == null ? new Finding.CanNoLongerHappen() : new Finding.Happened(outcome);
  }

  private Guard guard() {
    if (guard == null) {
      throw new IllegalStateException("not prepared");
    }
    return guard;
  }

  @Override
  public String run(Key key, Transfer transfer) {
    probed = false;
    Ask ask = TransactionWorker.ask(key, transfer);
    return Rulings.line(guard().decide(ask, run -> bank.transfer(transfer, run.fence())), probed);
  }

  @Override
  public long queued(Key key) {
    for (UnknownRequest each : guard().unknowns(QUEUE)) {
      if (each.id().key().equals(key)) {
        return each.fence();
      }
    }
    return 0;
  }

  @Override
  public boolean resolve(Key key, long fence, @Nullable Reply happened) {
    return guard()
        .resolve(
            GuardedId.of("crash", key),
            fence,
            happened == null ? new Finding.CanNoLongerHappen() : new Finding.Happened(happened));
  }
}
