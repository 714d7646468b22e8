package io.onceward.crash.bank;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The bank as a replicated service. A query, whatever it asks, is answered with the book. */
public final class BankService implements Service {
  public static final String NAME = "bank";

  private Bank bank = new Bank();

  @Override
  public Reply execute(Command command) {
    Transfer transfer;
    try {
      transfer = Transfer.decode(command.payload());
    } catch (IllegalArgumentException e) {
      return Reply.businessError("malformed");
    }
    return bank.transfer(transfer);
  }

  @Override
  public Reply query(Command question) {
    return Reply.ok(text(bank.movements()));
  }

  /** Reads the answer to a query. */
  public static List<Movement> movements(Bytes told) {
    List<Movement> movements = new ArrayList<>();
    told.asText().lines().map(Movement::parse).forEach(movements::add);
    return movements;
  }

  private static String text(List<Movement> movements) {
    StringBuilder text = new StringBuilder();
    for (Movement movement : movements) {
      text.append(movement.line()).append('\n');
    }
    return text.toString();
  }

  @Override
  public Frozen freeze() {
    List<Movement> frozen = bank.movements();
    return out -> out.write(text(frozen).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void restore(InputStream in) throws IOException {
    Bank restored = new Bank();
    movements(Bytes.of(in.readAllBytes())).forEach(restored::book);
    bank = restored;
  }
}
