package io.onceward.examples.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.examples.ledger.LedgerCommand.AuditBooks;
import io.onceward.examples.ledger.LedgerCommand.Balance;
import io.onceward.examples.ledger.LedgerCommand.Deposit;
import io.onceward.examples.ledger.LedgerCommand.OpenAccount;
import io.onceward.examples.ledger.LedgerCommand.Total;
import io.onceward.examples.ledger.LedgerCommand.Transfer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private final Ledger ledger = new Ledger();

  @Test
  void moneyMovesFromOneAccountToAnother() {
    assertThat(number(execute(new OpenAccount("ann")))).isZero();
    assertThat(number(execute(new OpenAccount("bob")))).isZero();
    assertThat(number(execute(new Deposit("ann", 100)))).isEqualTo(100);
    assertThat(number(execute(new Transfer("ann", "bob", 30)))).isEqualTo(70);
    assertThat(number(query(new Balance("ann")))).isEqualTo(70);
    assertThat(number(query(new Balance("bob")))).isEqualTo(30);
    assertThat(number(query(new Total()))).isEqualTo(100);
    assertThat(books()).isEqualTo(new Books(2, 100, 100));
    assertThat(books().balanced()).isTrue();
  }

  @Test
  void wholeBalanceMayBeMoved() {
    openWith("ann", 100);
    execute(new OpenAccount("bob"));
    assertThat(number(execute(new Transfer("ann", "bob", 100)))).isZero();
  }

  @Test
  void whatTheDomainForbidsIsABusinessErrorAndChangesNothing() {
    openWith("ann", 100);
    execute(new OpenAccount("bob"));
    byte[] before = write(ledger.freeze());
    assertThat(error(new Transfer("ann", "bob", 101)))
        .isEqualTo("insufficient funds: ann has 100, 101 are needed");
    assertThat(error(new Transfer("ann", "carl", 1))).isEqualTo("there is no account carl");
    assertThat(error(new Transfer("carl", "ann", 1))).isEqualTo("there is no account carl");
    assertThat(error(new Transfer("ann", "ann", 1)))
        .isEqualTo("a transfer needs two accounts, got ann twice");
    assertThat(error(new Transfer("ann", "bob", 0))).isEqualTo("an amount must be positive, got 0");
    assertThat(error(new Transfer("ann", "bob", Long.MIN_VALUE)))
        .isEqualTo("an amount must be positive, got -9223372036854775808");
    assertThat(error(new Deposit("carl", 1))).isEqualTo("there is no account carl");
    assertThat(error(new Deposit("ann", -1))).isEqualTo("an amount must be positive, got -1");
    assertThat(error(new Deposit("ann", Long.MAX_VALUE)))
        .isEqualTo("the ledger cannot hold 9223372036854775807 more");
    assertThat(error(new OpenAccount("ann"))).isEqualTo("account ann is open already");
    assertThat(error(new OpenAccount("")))
        .isEqualTo("the name of an account has 1 to 64 characters");
    assertThat(error(new OpenAccount("x".repeat(65))))
        .isEqualTo("the name of an account has 1 to 64 characters");
    assertThat(error(new Balance("ann"))).isEqualTo("this is a query, not a command");
    assertThat(write(ledger.freeze())).isEqualTo(before);
  }

  @Test
  void queryChangesNothing() {
    openWith("ann", 100);
    assertThat(query(new Deposit("ann", 1)))
        .isEqualTo(Reply.businessError("this is a command, not a query"));
    assertThat(query(new Balance("bob"))).isEqualTo(Reply.businessError("there is no account bob"));
    assertThat(books()).isEqualTo(new Books(1, 100, 100));
  }

  @Test
  void booksBalanceWhateverIsAsked() {
    SplittableRandom random = new SplittableRandom(1);
    long moved = 0;
    for (int i = 0; i < 20_000; i++) {
      Reply reply = execute(draw(random));
      moved += reply.kind() == Reply.Kind.OK ? 1 : 0;
      assertThat(books().balanced()).isTrue();
    }
    assertThat(moved).isGreaterThan(1_000);
    assertThat(books().deposits()).isPositive();
  }

  @Test
  void snapshotAndLaterCommandsEqualTheFullReplay() throws IOException {
    List<Reply> first = life(ledger, 1);
    Ledger again = new Ledger();
    assertThat(life(again, 1)).isEqualTo(first);
    Ledger restored = new Ledger();
    life(restored, 3);
    restored.restore(new ByteArrayInputStream(write(ledger.freeze())));
    assertThat(write(restored.freeze())).isEqualTo(write(ledger.freeze()));
    assertThat(life(restored, 2)).isEqualTo(life(ledger, 2));
    assertThat(write(restored.freeze())).isEqualTo(write(ledger.freeze()));
  }

  @Test
  void frozenLedgerStandsStill() {
    life(ledger, 1);
    byte[] before = write(ledger.freeze());
    Frozen frozen = ledger.freeze();
    life(ledger, 2);
    assertThat(write(frozen)).isEqualTo(before).isNotEqualTo(write(ledger.freeze()));
  }

  @Test
  void anyBytesAreAnswered() {
    SplittableRandom random = new SplittableRandom(1);
    life(ledger, 1);
    int malformed = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] payload = LedgerCommand.encode(draw(random)).toArray();
      if (random.nextBoolean()) {
        payload = Arrays.copyOf(payload, random.nextInt(payload.length + 3));
      } else {
        payload[random.nextInt(payload.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Command command = new Command(Bytes.of(payload), "anonymous", 1, 1, 1);
      ledger.query(command);
      Reply reply = ledger.execute(command);
      malformed += reply.equals(Reply.businessError("malformed command")) ? 1 : 0;
      assertThat(books().balanced()).isTrue();
    }
    assertThat(malformed).isGreaterThan(1_000);
  }

  private static LedgerCommand draw(SplittableRandom random) {
    String account = "a" + random.nextInt(30);
    String other = "a" + random.nextInt(30);
    return switch (random.nextInt(10)) {
      case 0, 1 -> new OpenAccount(account);
      case 2 -> new Deposit(account, random.nextInt(100) - 5);
      case 3 -> new Deposit(account, random.nextLong());
      default -> new Transfer(account, other, random.nextInt(50) - 1);
    };
  }

  private static List<Reply> life(Service service, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Bytes payload = LedgerCommand.encode(draw(random));
      replies.add(service.execute(new Command(payload, "anonymous", i, i, i)));
    }
    return replies;
  }

  private void openWith(String account, long amount) {
    execute(new OpenAccount(account));
    execute(new Deposit(account, amount));
  }

  private Reply execute(LedgerCommand command) {
    return ledger.execute(new Command(LedgerCommand.encode(command), "anonymous", 1, 1, 1));
  }

  private Reply query(LedgerCommand question) {
    return ledger.query(new Command(LedgerCommand.encode(question), "anonymous", 1, 1, 1));
  }

  private String error(LedgerCommand command) {
    Reply reply = execute(command);
    assertThat(reply.kind()).isEqualTo(Reply.Kind.BUSINESS_ERROR);
    return reply.bytes().asText();
  }

  private Books books() {
    return Books.decode(query(new AuditBooks()).bytes());
  }

  private static long number(Reply reply) {
    assertThat(reply.kind()).isEqualTo(Reply.Kind.OK);
    return reply.bytes().longAt(0);
  }

  private static byte[] write(Frozen frozen) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      frozen.writeTo(out);
    } catch (IOException e) {
      throw new AssertionError("memory cannot fail", e);
    }
    return out.toByteArray();
  }
}
