package io.onceward.examples.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.Abandonment;
import io.onceward.client.BusinessErrorException;
import io.onceward.client.Decided;
import io.onceward.client.Session;
import io.onceward.client.SessionInfo;
import io.onceward.replica.Request;
import io.onceward.services.ServiceDirectory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LedgerClientTest {

  /** A session without a cluster: commands execute at once, in this process. */
  private static final class LocalSession implements Session {
    private final ServiceDirectory services =
        ServiceDirectory.shipped().with(LedgerClient.SERVICE, new Ledger());
    private long sequence;

    @Override
    public CompletableFuture<Decided> submit(String service, Bytes command) {
      sequence++;
      Reply reply = services.execute(command(service, command));
      RequestId id = new RequestId.OfSequence(new Request.Address(1, 1, 1), sequence);
      return CompletableFuture.completedFuture(new Decided(id, reply, false, sequence, 0));
    }

    @Override
    public CompletableFuture<Reply> query(String service, Bytes question) {
      return CompletableFuture.completedFuture(services.query(command(service, question)));
    }

    private Command command(String service, Bytes payload) {
      return new Command(ServiceDirectory.address(service, payload), "anonymous", sequence, 0, 0);
    }

    @Override
    public CompletableFuture<Decided> submit(String service, Bytes command, Duration deadline) {
      return submit(service, command);
    }

    @Override
    public CompletableFuture<Decided> decision(RequestId id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Outcome> outcome(RequestId id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Abandonment> abandon(RequestId id) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SessionInfo info() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void leave() {}

    @Override
    public void close() {}
  }

  private final LedgerClient ledger = new LedgerClient(new LocalSession());

  @Test
  void moneyMovesAndTheBooksBalance() {
    ledger.open("ann").join();
    ledger.open("bob").join();
    assertThat(ledger.deposit("ann", 100).join()).isEqualTo(100);
    assertThat(ledger.transfer("ann", "bob", 30).join()).isEqualTo(70);
    assertThat(ledger.balance("ann").join()).isEqualTo(70);
    assertThat(ledger.balance("bob").join()).isEqualTo(30);
    assertThat(ledger.total().join()).isEqualTo(100);
    assertThat(ledger.books().join()).isEqualTo(new Books(2, 100, 100));
  }

  @Test
  void whatTheLedgerDeclinesFailsTheFuture() {
    ledger.open("ann").join();
    ledger.open("bob").join();
    assertThatThrownBy(() -> ledger.transfer("ann", "bob", 1).join())
        .hasCauseInstanceOf(BusinessErrorException.class)
        .hasMessageContaining("insufficient funds: ann has 0, 1 are needed");
    assertThatThrownBy(() -> ledger.open("ann").join())
        .hasMessageContaining("account ann is open already");
    assertThatThrownBy(() -> ledger.balance("carl").join())
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no account carl");
  }
}
