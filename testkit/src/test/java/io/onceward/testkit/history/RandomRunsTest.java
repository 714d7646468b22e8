package io.onceward.testkit.history;

import static io.onceward.testkit.history.RecordedRun.ACCOUNTS;
import static io.onceward.testkit.history.RecordedRun.COUNTERS;
import static io.onceward.testkit.history.RecordedRun.LEASES;
import static io.onceward.testkit.history.RecordedRun.LISTS;
import static io.onceward.testkit.history.RecordedRun.REGISTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.services.CounterCommand;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.LeaseCommand;
import io.onceward.testkit.history.RecordedRun.Effect;
import io.onceward.testkit.history.numbered.AccountCommand;
import io.onceward.testkit.history.numbered.ListCommand;
import io.onceward.testkit.world.Dice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs that really happened, with requests that overlap, copies, answers that got lost, and
 * outcomes that were learned at the end or never: the checks find nothing in them. And the same
 * runs with one byte of one reply changed: the checks find it.
 */
class RandomRunsTest {
  private static final int SEEDS = 300;
  private static final List<String> SERVICES =
      List.of(COUNTERS, REGISTERS, LEASES, LISTS, ACCOUNTS);

  @TempDir Path folder;

  /** One request under way. */
  private static final class Flight {
    final String service;
    final String id;
    final Bytes command;
    final List<Long> copies = new ArrayList<>();
    Effect effect;

    Flight(String service, String id, Bytes command) {
      this.service = service;
      this.id = id;
      this.command = command;
    }
  }

  @Test
  void nothingIsFoundInRunsThatReallyHappened() throws IOException {
    long holes = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (RecordedRun run = new RecordedRun(folder)) {
        play(run, new Dice(seed), 150, -1);
        HistoryCheck check = run.check();
        assertThat(check.findings()).as("seed %s", seed).allMatch(Finding::holds);
        holes += check.summary().holes();
      }
    }
    assertThat(holes).as("holes that had to be explained").isPositive();
  }

  @Test
  void oneChangedByteOfAReplyIsFound() throws IOException {
    int lies = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      try (RecordedRun run = new RecordedRun(folder)) {
        int lie = new Dice(seed).of("lie").below(20);
        boolean lied = play(run, new Dice(seed), 60, lie) > lie;
        lies += lied ? 1 : 0;
        assertThat(run.broken().isEmpty()).as("seed %s", seed).isEqualTo(!lied);
      }
    }
    assertThat(lies).isGreaterThan(SEEDS / 2);
  }

  /**
   * @param lie the number of the answer that is changed; with one, no answer gets lost, because a
   *     model that is not sure believes what it is told
   * @return how many requests were answered
   */
  private static int play(RecordedRun run, Dice dice, int steps, int lie) {
    List<Flight> flights = new ArrayList<>();
    List<Flight> lost = new ArrayList<>();
    int answers = 0;
    for (int step = 0; step < steps || lie >= 0 && !flights.isEmpty(); step++) {
      int move = step < steps ? dice.below(10) : 8;
      if (move < 3 || flights.isEmpty()) {
        String service = dice.pick(SERVICES);
        Flight flight = new Flight(service, run.newId(), command(dice, service));
        flight.copies.add(run.invoke(service, flight.id, flight.command));
        flights.add(flight);
        continue;
      }
      Flight flight = dice.pick(flights);
      if (move < 6 || step >= steps) {
        if (flight.effect == null) {
          run.timeMillis += dice.below(40);
          flight.effect = run.effect(flight.service, flight.command);
        }
      } else if (move == 6) {
        flight.copies.add(run.invoke(flight.service, flight.id, flight.command));
      } else if (move == 7) {
        question(run, dice);
      }
      if (move >= 8 && flight.effect != null) {
        Effect told = answers++ == lie ? lied(flight.effect, dice) : flight.effect;
        run.answer(flight.copies.get(0), told);
        for (long copy : flight.copies.subList(1, flight.copies.size())) {
          run.replay(copy, told);
        }
        flights.remove(flight);
      } else if (move == 9 && lie < 0) {
        flights.remove(flight);
        lost.add(flight);
      }
    }
    lost.addAll(flights);
    for (Flight flight : lost) {
      learn(run, dice, flight);
    }
    return answers;
  }

  private static void learn(RecordedRun run, Dice dice, Flight flight) {
    long op = run.writer.inquired("the end", flight.service, flight.id);
    if (flight.effect == null) {
      run.refuse(op, Refusal.ABANDONED);
    } else if (dice.below(4) > 0) {
      run.replay(op, flight.effect);
    } else {
      run.writer.unknown(op);
    }
  }

  private static void question(RecordedRun run, Dice dice) {
    switch (dice.below(5)) {
      case 0 -> run.query(COUNTERS, CounterCommand.encode(new CounterCommand.Get(name(dice))));
      case 1 ->
          run.query(
              REGISTERS, KeyValueCommand.encode(new KeyValueCommand.Get(Bytes.utf8(name(dice)))));
      case 2 -> run.query(LEASES, LeaseCommand.encode(new LeaseCommand.Get(name(dice))));
      case 3 -> run.query(LISTS, ListCommand.read(name(dice)));
      default -> run.query(ACCOUNTS, AccountCommand.books());
    }
  }

  private static Bytes command(Dice dice, String service) {
    String name = name(dice);
    return switch (service) {
      case COUNTERS -> CounterCommand.encode(new CounterCommand.Add(name, dice.below(9) - 4));
      case REGISTERS -> KeyValueCommand.encode(register(dice, Bytes.utf8(name)));
      case LEASES -> LeaseCommand.encode(lease(dice, name));
      case LISTS -> ListCommand.append(name, Bytes.utf8("v" + dice.below(100)));
      default ->
          dice.below(3) == 0
              ? AccountCommand.deposit(name, 1 + dice.below(20))
              : AccountCommand.transfer(name, name(dice), 1 + dice.below(20));
    };
  }

  private static KeyValueCommand register(Dice dice, Bytes key) {
    Bytes value = Bytes.utf8("v" + dice.below(100));
    return switch (dice.below(5)) {
      case 0 -> new KeyValueCommand.Put(key, value);
      case 1 -> new KeyValueCommand.Delete(key);
      case 2 -> new KeyValueCommand.Get(key);
      case 3 -> new KeyValueCommand.CompareAndSet(key, 0, value);
      default -> new KeyValueCommand.CompareAndSet(key, dice.below(20), value);
    };
  }

  private static LeaseCommand lease(Dice dice, String name) {
    String holder = "h" + dice.below(2);
    return switch (dice.below(4)) {
      case 0 -> new LeaseCommand.Get(name);
      case 1 -> new LeaseCommand.Renew(name, holder, 1 + dice.below(10), 200);
      case 2 -> new LeaseCommand.Release(name, holder, 1 + dice.below(10));
      default -> new LeaseCommand.Acquire(name, holder, 50 + dice.below(300));
    };
  }

  private static String name(Dice dice) {
    return "n" + dice.below(3);
  }

  private static Effect lied(Effect effect, Dice dice) {
    byte[] bytes = effect.reply().bytes().toArray();
    bytes[dice.below(bytes.length)] ^= (byte) (1 << dice.below(8));
    return new Effect(
        new Reply(effect.reply().kind(), Bytes.of(bytes)), effect.position(), effect.timeMillis());
  }
}
