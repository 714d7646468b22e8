package io.onceward.examples.ledger;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.client.BusinessErrorException;
import io.onceward.client.Session;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The ledger as its callers like to see it. Everything that matters is done by the session: it
 * sends a command again and again under one id until it is decided, and the command happens once.
 *
 * <p>A command that the ledger declines fails its future with a {@link BusinessErrorException}, a
 * query that it cannot answer with an {@code IllegalArgumentException}; the message is the
 * ledger's.
 */
public final class LedgerClient {
  /** The name under which the ledger is hosted, as a rule. */
  public static final String SERVICE = "ledger";

  private final Session session;

  public LedgerClient(Session session) {
    this.session = session;
  }

  /** Opens an account with nothing in it. */
  public CompletableFuture<Void> open(String account) {
    return execute(new LedgerCommand.OpenAccount(account)).thenAccept(balance -> {});
  }

  /** Gives what is in the account after it. */
  public CompletableFuture<Long> deposit(String account, long amount) {
    return execute(new LedgerCommand.Deposit(account, amount));
  }

  /** Gives what is left in the account that it comes from. */
  public CompletableFuture<Long> transfer(String from, String to, long amount) {
    return execute(new LedgerCommand.Transfer(from, to, amount));
  }

  public CompletableFuture<Long> balance(String account) {
    return query(new LedgerCommand.Balance(account), bytes -> bytes.longAt(0));
  }

  /** What is in all accounts together. */
  public CompletableFuture<Long> total() {
    return query(new LedgerCommand.Total(), bytes -> bytes.longAt(0));
  }

  public CompletableFuture<Books> books() {
    return query(new LedgerCommand.AuditBooks(), Books::decode);
  }

  private CompletableFuture<Long> execute(LedgerCommand command) {
    return session
        .submit(SERVICE, LedgerCommand.encode(command))
        .thenApply(decided -> decided.bytes().longAt(0));
  }

  private <T> CompletableFuture<T> query(LedgerCommand question, Function<Bytes, T> read) {
    return session
        .query(SERVICE, LedgerCommand.encode(question))
        .thenApply(reply -> read.apply(told(reply)));
  }

  private static Bytes told(Reply reply) {
    if (reply.kind() != Reply.Kind.OK) {
      throw new IllegalArgumentException(reply.bytes().asText());
    }
    return reply.bytes();
  }
}
