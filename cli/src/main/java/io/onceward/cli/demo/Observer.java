package io.onceward.cli.demo;

import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.Decided;
import io.onceward.client.Keyed;
import io.onceward.client.Onceward;
import io.onceward.examples.ledger.LedgerCommand;
import io.onceward.services.CounterCommand;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The demo's own way to the cluster, past the gates: it opens the accounts and asks at the end. */
final class Observer implements Witness, Closeable {
  private static final long DEPOSIT_MILLIS = 30_000;

  private final Onceward onceward;
  private final List<Member> members;

  private Observer(Onceward onceward, List<Member> members) {
    this.onceward = onceward;
    this.members = members;
  }

  static Observer of(List<Member> members) {
    Onceward onceward =
        Onceward.connect(members.stream().map(Member::clientAddress).toArray(String[]::new));
    return new Observer(onceward, List.copyOf(members));
  }

  /** Opens every account with its first deposit, and writes that down. */
  void deposit(Path file) throws IOException, InterruptedException {
    Keyed keyed = onceward.keyed().keepingReplies();
    try (RecordFile record = RecordFile.create(file)) {
      for (int i = 0; i < Errand.ACCOUNTS; i++) {
        String account = Errand.account(i);
        get(
            keyed.submit(
                keyed.newKey(),
                Errand.LEDGER_SERVICE,
                LedgerCommand.encode(new LedgerCommand.OpenAccount(account))));
        Errand errand = new Errand.Deposit(account, Errand.FIRST_DEPOSIT);
        String tag = "deposit." + account;
        record.write(new Line.Asked(tag, 1, errand));
        Decided decided =
            get(keyed.submit(keyed.newKey(), Orders.service(errand), Orders.command(errand)));
        record.write(Line.Told.of(tag, decided));
      }
    }
  }

  private static Decided get(CompletableFuture<Decided> decision) throws InterruptedException {
    try {
      return decision.get(DEPOSIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      throw new DemoFailure("the accounts cannot be opened: " + failed.getCause(), failed);
    } catch (TimeoutException late) {
      throw new DemoFailure(
          "the accounts could not be opened within " + DEPOSIT_MILLIS / 1_000 + " s", late);
    }
  }

  /** How a node is. */
  CompletableFuture<NodeStatus> status(DemoNode node) {
    return onceward.admin().status(node.member().clientAddress());
  }

  @Override
  public CompletableFuture<Outcome> outcome(RequestId id) {
    return onceward.outcome(id);
  }

  @Override
  public CompletableFuture<Decided> resend(RequestId.OfKey id, Errand errand) {
    return onceward
        .keyed(id.scope())
        .keepingReplies()
        .submit(id.key(), Orders.service(errand), Orders.command(errand));
  }

  @Override
  public CompletableFuture<Long> counter(String name) {
    return onceward
        .query(Errand.COUNTER_SERVICE, CounterCommand.encode(new CounterCommand.Get(name)))
        .thenApply(Replies::counterValue);
  }

  @Override
  public CompletableFuture<Long> balance(String account) {
    return ledger(new LedgerCommand.Balance(account));
  }

  @Override
  public CompletableFuture<Long> total() {
    return ledger(new LedgerCommand.Total());
  }

  private CompletableFuture<Long> ledger(LedgerCommand question) {
    return onceward
        .query(Errand.LEDGER_SERVICE, LedgerCommand.encode(question))
        .thenApply(Observer::amount);
  }

  private static long amount(Reply reply) {
    if (reply.kind() != Reply.Kind.OK) {
      throw new IllegalStateException("the ledger answers " + Replies.describe(reply));
    }
    return reply.bytes().longAt(0);
  }

  @Override
  public CompletableFuture<List<NodeStatus>> digests() {
    List<CompletableFuture<NodeStatus>> asked = new ArrayList<>();
    for (Member member : members) {
      asked.add(onceward.admin().status(member.clientAddress(), true));
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> asked.stream().map(CompletableFuture::join).toList());
  }

  @Override
  public void close() {
    onceward.close();
  }
}
