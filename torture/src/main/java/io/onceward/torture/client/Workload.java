package io.onceward.torture.client;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.services.CounterCommand;
import io.onceward.services.KeyValueCommand;
import io.onceward.services.KeyValueReply;
import io.onceward.services.LeaseCommand;
import io.onceward.services.LeaseReply;
import io.onceward.testkit.history.numbered.AccountCommand;
import io.onceward.testkit.history.numbered.ListCommand;
import io.onceward.testkit.history.numbered.Numbered;
import io.onceward.testkit.history.numbered.NumberedAccounts;
import io.onceward.testkit.history.numbered.NumberedCounters;
import io.onceward.testkit.history.numbered.NumberedLeases;
import io.onceward.testkit.history.numbered.NumberedLists;
import io.onceward.testkit.history.numbered.NumberedRegisters;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Draws what a client asks: of counters, registers, lists, leases and accounts, few enough of each
 * that clients get in each other's way.
 */
public final class Workload {
  /** The services that a cluster must host, by name. */
  public static final Map<String, String> SERVICES = services();

  static final String COUNTERS = "counters";
  static final String REGISTERS = "registers";
  static final String LISTS = "lists";
  static final String LEASES = "leases";
  static final String ACCOUNTS = "accounts";

  /** What every account begins with; little enough that some transfers are declined. */
  public static final long FIRST_DEPOSIT = 1_000;

  public static final int ACCOUNT_COUNT = 16;
  private static final int NAMES = 16;
  private static final int MOST_LEASED_MILLIS = 20_000;

  /**
   * One thing to ask.
   *
   * @param name of what it concerns
   */
  record Errand(String service, String name, Bytes command) {}

  private final String client;
  private final Random dice;
  private final Map<String, Long> versions = new ConcurrentHashMap<>();
  private final Map<String, Long> tokens = new ConcurrentHashMap<>();

  Workload(String client, Random dice) {
    this.client = client;
    this.dice = dice;
  }

  private static Map<String, String> services() {
    Map<String, String> services = new LinkedHashMap<>();
    services.put(COUNTERS, NumberedCounters.class.getName());
    services.put(REGISTERS, NumberedRegisters.class.getName());
    services.put(LISTS, NumberedLists.class.getName());
    services.put(LEASES, NumberedLeases.class.getName());
    services.put(ACCOUNTS, NumberedAccounts.class.getName());
    return services;
  }

  /** The name of an account. */
  public static String account(int index) {
    return "account-" + index;
  }

  /** Something that changes something. */
  Errand draw() {
    String name = "n" + dice.nextInt(NAMES);
    return switch (dice.nextInt(5)) {
      case 0 ->
          new Errand(
              COUNTERS,
              name,
              CounterCommand.encode(new CounterCommand.Add(name, dice.nextInt(9) + 1)));
      case 1 -> new Errand(REGISTERS, name, KeyValueCommand.encode(register(name)));
      case 2 -> new Errand(LISTS, name, ListCommand.append(name, text(dice.nextInt())));
      case 3 -> new Errand(LEASES, name, LeaseCommand.encode(lease(name)));
      default -> transfer();
    };
  }

  private Errand transfer() {
    int source = dice.nextInt(ACCOUNT_COUNT);
    int target = (source + 1 + dice.nextInt(ACCOUNT_COUNT - 1)) % ACCOUNT_COUNT;
    return new Errand(
        ACCOUNTS,
        account(source),
        AccountCommand.transfer(account(source), account(target), dice.nextInt(250) + 1));
  }

  private KeyValueCommand register(String name) {
    Bytes key = utf8(name);
    Bytes value = text(dice.nextInt());
    Long version = versions.get(name);
    int way = dice.nextInt(10);
    if (way < 6 && version != null) {
      return new KeyValueCommand.CompareAndSet(key, version, value);
    }
    return way == 9 ? new KeyValueCommand.Delete(key) : new KeyValueCommand.Put(key, value);
  }

  private LeaseCommand lease(String name) {
    Long token = tokens.get(name);
    long millis = 1L + dice.nextInt(MOST_LEASED_MILLIS);
    if (token == null || dice.nextInt(3) == 0) {
      return new LeaseCommand.Acquire(name, client, millis);
    }
    return dice.nextBoolean()
        ? new LeaseCommand.Release(name, client, token)
        : new LeaseCommand.Renew(name, client, token, millis);
  }

  private static Bytes text(int number) {
    return utf8(Integer.toString(number));
  }

  private static Bytes utf8(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A question that changes nothing. */
  Errand question() {
    String name = "n" + dice.nextInt(NAMES);
    String service = List.copyOf(SERVICES.keySet()).get(dice.nextInt(SERVICES.size()));
    return new Errand(service, name, question(service, name));
  }

  private static Bytes question(String service, String name) {
    return switch (service) {
      case COUNTERS -> CounterCommand.encode(new CounterCommand.Get(name));
      case REGISTERS -> KeyValueCommand.encode(new KeyValueCommand.Get(utf8(name)));
      case LISTS -> ListCommand.read(name);
      case LEASES -> LeaseCommand.encode(new LeaseCommand.Get(name));
      case ACCOUNTS -> AccountCommand.books();
      default -> throw new IllegalArgumentException("no service " + service);
    };
  }

  /** A question to a service that it can always answer. */
  public static Bytes anyQuestion(String service) {
    return question(service, "n0");
  }

  /** Remembers what later errands build on: versions to compare with, tokens to renew. */
  void learn(Errand errand, Reply reply) {
    if (reply.kind() != Reply.Kind.OK) {
      return;
    }
    if (errand.service().equals(REGISTERS)) {
      KeyValueReply told = KeyValueReply.decode(Numbered.bare(reply).bytes());
      if (told instanceof KeyValueReply.Stored stored) {
        versions.put(errand.name(), stored.version());
      } else if (told instanceof KeyValueReply.Found found) {
        versions.put(errand.name(), found.version());
      }
    } else if (errand.service().equals(LEASES)
        && LeaseReply.decode(Numbered.bare(reply).bytes()) instanceof LeaseReply.Granted granted) {
      tokens.put(errand.name(), granted.token());
    }
  }
}
