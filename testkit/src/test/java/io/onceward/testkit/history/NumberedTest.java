package io.onceward.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import io.onceward.testkit.history.numbered.AccountCommand;
import io.onceward.testkit.history.numbered.ListCommand;
import io.onceward.testkit.history.numbered.Numbered;
import io.onceward.testkit.history.numbered.NumberedAccounts;
import io.onceward.testkit.history.numbered.NumberedCounters;
import io.onceward.testkit.history.numbered.NumberedLeases;
import io.onceward.testkit.history.numbered.NumberedLists;
import io.onceward.testkit.history.numbered.NumberedRegisters;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class NumberedTest {
  private static final Bytes ADD = CounterCommand.encode(new CounterCommand.Add("hits", 5));
  private static final Bytes GET = CounterCommand.encode(new CounterCommand.Get("hits"));

  @Test
  void repliesCarryTheNumberOfTheCommandInFront() {
    Service service = new NumberedCounters();
    service.execute(command(ADD));
    Reply reply = service.execute(command(ADD));
    assertThat(Numbered.serialOf(reply)).isEqualTo(2);
    assertThat(CounterReply.decode(Numbered.bare(reply).bytes()).value()).isEqualTo(10);
  }

  @Test
  void businessErrorsAreNumberedToo() {
    Reply reply = new NumberedCounters().execute(command(Bytes.utf8("?")));
    assertThat(reply.kind()).isEqualTo(Reply.Kind.BUSINESS_ERROR);
    assertThat(Numbered.serialOf(reply)).isEqualTo(1);
  }

  @Test
  void queriesTellTheLastNumberAndTakeNone() {
    Service service = new NumberedCounters();
    service.execute(command(ADD));
    service.query(command(GET));
    assertThat(Numbered.serialOf(service.query(command(GET)))).isEqualTo(1);
  }

  @Test
  void aCommandThatFailsHasTakenANumber() {
    Service service = new Numbered(new Fragile());
    assertThatThrownBy(() -> service.execute(command(ADD)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(Numbered.serialOf(service.query(command(GET)))).isEqualTo(1);
  }

  @Test
  void aRestoredServiceGoesOnWhereTheFrozenOneWas() throws IOException {
    assertGoesOn(new NumberedCounters(), new NumberedCounters(), ADD);
    assertGoesOn(new NumberedRegisters(), new NumberedRegisters(), Bytes.EMPTY);
    assertGoesOn(new NumberedLeases(), new NumberedLeases(), Bytes.EMPTY);
    assertGoesOn(
        new NumberedLists(), new NumberedLists(), ListCommand.append("k", Bytes.utf8("v")));
    assertGoesOn(new NumberedAccounts(), new NumberedAccounts(), AccountCommand.deposit("a", 3));
  }

  private static void assertGoesOn(Service original, Service copy, Bytes command)
      throws IOException {
    original.execute(command(command));
    Frozen frozen = original.freeze();
    Reply next = original.execute(command(command));
    for (int i = 0; i < 3; i++) {
      copy.execute(command(command));
    }
    copy.restore(new ByteArrayInputStream(bytes(frozen)));
    assertThat(bytes(copy.freeze())).isEqualTo(bytes(frozen));
    assertThat(copy.execute(command(command))).isEqualTo(next);
    assertThat(Numbered.serialOf(next)).isEqualTo(2);
  }

  @Test
  void aTransferNeedsFunds() {
    Service accounts = new NumberedAccounts();
    accounts.execute(command(AccountCommand.deposit("a", 10)));
    Reply poor = Numbered.bare(accounts.execute(command(AccountCommand.transfer("a", "b", 11))));
    assertThat(poor).isEqualTo(Reply.businessError("insufficient funds: a has 10, 11 are needed"));
    Reply rich = Numbered.bare(accounts.execute(command(AccountCommand.transfer("a", "b", 4))));
    assertThat(rich.bytes().longAt(0)).isEqualTo(6);
    assertThat(rich.bytes().longAt(8)).isEqualTo(4);
    Reply books = Numbered.bare(accounts.query(command(AccountCommand.books())));
    assertThat(books.bytes().longAt(0)).isEqualTo(10);
    assertThat(books.bytes().longAt(8)).isEqualTo(10);
  }

  @Test
  void theDigestOfAListTellsTheOrderOfItsValues() {
    Bytes x = ListCommand.append("k", Bytes.utf8("x"));
    Bytes y = ListCommand.append("k", Bytes.utf8("y"));
    Service one = new NumberedLists();
    one.execute(command(x));
    Service other = new NumberedLists();
    other.execute(command(y));
    assertThat(one.execute(command(y))).isNotEqualTo(other.execute(command(x)));
  }

  /** What it does not pass on, the service inside would never hear of. */
  @Test
  void passesEverythingOn() {
    assertThat(Service.class.getDeclaredMethods())
        .allSatisfy(
            method ->
                assertThatCode(
                        () ->
                            Numbered.class.getDeclaredMethod(
                                method.getName(), method.getParameterTypes()))
                    .doesNotThrowAnyException());
  }

  private static Command command(Bytes payload) {
    return new Command(payload, "anonymous", 1, 1, 1);
  }

  private static byte[] bytes(Frozen frozen) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frozen.writeTo(out);
    return out.toByteArray();
  }

  private static final class Fragile implements Service {
    @Override
    public Reply execute(Command command) {
      throw new IllegalStateException("broken on purpose");
    }

    @Override
    public Reply query(Command question) {
      return Reply.ok("");
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }
}
