package io.onceward.cli.demo;

import io.onceward.RequestId;
import io.onceward.cli.demo.Line.Told;
import io.onceward.client.Decided;
import io.onceward.wire.NodeStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the books that the clients wrote with what the cluster says. It proves, or names what
 * differs; it never hangs.
 */
final class Proof {
  /**
   * The records of one client.
   *
   * @param files one for each of its processes, in the order in which they ran
   */
  record Client(String name, List<Path> files, boolean killed) {}

  private final Witness witness;
  private final List<Client> clients;
  private final Duration patience;
  private final Consumer<String> progress;
  private final Books books = new Books();

  /**
   * A proof from these records.
   *
   * @param patience how long the cluster may take for any one answer
   * @param progress is told what is being looked at
   */
  Proof(Witness witness, List<Client> clients, Duration patience, Consumer<String> progress) {
    this.witness = witness;
    this.clients = List.copyOf(clients);
    this.patience = patience;
    this.progress = progress;
  }

  /** All findings, whether they hold or not. */
  List<Finding> findings() throws IOException {
    progress.accept("reading what the clients wrote down");
    for (Client client : clients) {
      books.read(client.name(), client.files(), client.killed());
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(everythingDecided());
    progress.accept("asking again about every request");
    findings.add(new SameAnswer(witness, patience, progress).finding(clients));
    progress.accept("sending requests again that were decided long ago");
    findings.add(sentAgain());
    progress.accept("comparing counters and accounts");
    findings.add(inOrder());
    findings.add(chained());
    findings.add(counters(books.expected()));
    findings.add(ledger(books.expected()));
    progress.accept("comparing the replicas");
    findings.add(digests());
    return findings;
  }

  /** How many requests have a reply, once they were read. */
  long decided() {
    return books.told();
  }

  private Finding everythingDecided() {
    List<String> objections = books.objections();
    long open = books.asked() - books.told() - books.abandoned() - books.unsent();
    if (open != 0 && objections.isEmpty()) {
      objections.add(Numbers.grouped(open) + " requests have no decision");
    }
    String numbers =
        Numbers.grouped(books.asked())
            + " asked = "
            + Numbers.grouped(books.told())
            + " replied + "
            + Numbers.grouped(books.abandoned())
            + " abandoned + "
            + Numbers.grouped(books.unsent())
            + " died with their client before they were sent";
    return new Finding("every request decided", numbers, objections);
  }

  /** The one test that matters to a caller: the very same request, long after it was decided. */
  private Finding sentAgain() {
    Objections objections = new Objections();
    Map<Books.Keyed, CompletableFuture<Decided>> asked = new LinkedHashMap<>();
    for (Books.Keyed keyed : books.keyed()) {
      asked.put(keyed, witness.resend((RequestId.OfKey) keyed.told().id(), keyed.errand()));
    }
    asked.forEach(
        (keyed, answer) -> {
          Told told = keyed.told();
          Decided again = await("the answer to " + told.id() + " again", answer, objections);
          if (again != null
              && !(again.replay()
                  && again.reply().equals(told.reply())
                  && again.position() == told.position())) {
            objections.add(
                told.id()
                    + " was sent again and got "
                    + Replies.describe(again.reply())
                    + (again.replay() ? " replayed" : " newly executed")
                    + " from position "
                    + again.position()
                    + ", but the first answer was "
                    + Replies.describe(told));
          }
        });
    return new Finding(
        "sent again, replayed",
        Numbers.grouped(asked.size())
            + " requests by key, drawn at random, got their first reply once more",
        objections.sentences());
  }

  private Finding inOrder() {
    Objections objections = new Objections();
    long requests = 0;
    for (Map.Entry<String, Longs> session : books.sequences().entrySet()) {
      Longs sorted = session.getValue().sorted();
      requests += sorted.size();
      for (int i = 1; i < sorted.size(); i++) {
        if (sorted.first(i) == sorted.first(i - 1)) {
          objections.add(
              "sequence "
                  + sorted.first(i)
                  + " of session "
                  + session.getKey()
                  + " was told to two errands");
        } else if (sorted.second(i) < sorted.second(i - 1)) {
          objections.add(
              "sequence "
                  + sorted.first(i)
                  + " of session "
                  + session.getKey()
                  + " executed at position "
                  + sorted.second(i)
                  + ", before sequence "
                  + sorted.first(i - 1)
                  + " at "
                  + sorted.second(i - 1));
        }
      }
    }
    return new Finding(
        "order kept",
        Numbers.grouped(requests)
            + " requests of "
            + books.sequences().size()
            + " sessions took effect in the order of asking",
        objections.sentences());
  }

  /**
   * Each addition was told the value that it made. Sorted by it, every value must be the one before
   * plus what was added: then every addition is one link, none is missing and none is there twice.
   */
  private Finding chained() {
    Objections objections = new Objections();
    long links = 0;
    for (Map.Entry<String, Longs> counter : books.adds().entrySet()) {
      Longs sorted = counter.getValue().sorted();
      links += sorted.size();
      long value = 0;
      for (int i = 0; i < sorted.size(); i++) {
        if (sorted.first(i) != value + sorted.second(i)) {
          objections.add(
              counter.getKey()
                  + ": an addition of "
                  + sorted.second(i)
                  + " was told the new value "
                  + sorted.first(i)
                  + ", but the value before it was "
                  + value);
        }
        value = sorted.first(i);
      }
    }
    return new Finding(
        "additions chain",
        Numbers.grouped(links) + " additions, each told the value before it plus its own amount",
        objections.sentences());
  }

  private Finding counters(Expectation expected) {
    Objections objections = new Objections();
    SortedMap<String, Long> told = ask(expected.counters(), witness::counter, objections);
    long sum = 0;
    for (Map.Entry<String, Long> counter : expected.counters().entrySet()) {
      Long value = told.get(counter.getKey());
      sum += counter.getValue();
      if (value != null && !value.equals(counter.getValue())) {
        objections.add(
            counter.getKey()
                + " is "
                + Numbers.grouped(value)
                + ", but the additions that were told"
                + " add up to "
                + Numbers.grouped(counter.getValue()));
      }
    }
    return new Finding(
        "counters exact",
        expected.counters().size()
            + " counters, "
            + Numbers.grouped(expected.additions())
            + " additions, sum "
            + Numbers.grouped(sum),
        objections.sentences());
  }

  private Finding ledger(Expectation expected) {
    Objections objections = new Objections();
    SortedMap<String, Long> told = ask(expected.balances(), witness::balance, objections);
    long sum = 0;
    for (Map.Entry<String, Long> account : expected.balances().entrySet()) {
      Long balance = told.get(account.getKey());
      if (balance == null) {
        continue;
      }
      sum += balance;
      if (!balance.equals(account.getValue())) {
        objections.add(
            account.getKey()
                + " holds "
                + Numbers.grouped(balance)
                + ", but deposit and transfers"
                + " that were told leave "
                + Numbers.grouped(account.getValue()));
      }
      if (balance < 0) {
        objections.add(account.getKey() + " is overdrawn: " + Numbers.grouped(balance));
      }
    }
    Long total = await("the total of the ledger", witness.total(), objections);
    if (total != null && (total != expected.deposits() || sum != expected.deposits())) {
      objections.add(
          "the ledger says it holds "
              + Numbers.grouped(total)
              + " and its accounts add up to "
              + Numbers.grouped(sum)
              + ", but "
              + Numbers.grouped(expected.deposits())
              + " was deposited");
    }
    return new Finding(
        "ledger balanced",
        expected.balances().size()
            + " accounts, "
            + Numbers.grouped(expected.transfers())
            + " transfers, total "
            + Numbers.grouped(sum)
            + " = deposits "
            + Numbers.grouped(expected.deposits()),
        objections.sentences());
  }

  /** Asks until all nodes stand at the same position; the log ticks even when nobody asks. */
  private Finding digests() {
    Objections objections = new Objections();
    long deadline = System.nanoTime() + patience.toNanos();
    List<NodeStatus> nodes = List.of();
    boolean level = false;
    while (!level && System.nanoTime() < deadline && objections.isEmpty()) {
      List<NodeStatus> told = await("the digests", witness.digests(), objections);
      if (told != null) {
        nodes = told;
        level = nodes.stream().map(NodeStatus::position).distinct().count() == 1;
      }
    }
    if (!level) {
      objections.add("the nodes did not reach the same position: " + positions(nodes));
      return new Finding("replicas agree", positions(nodes), objections.sentences());
    }
    if (nodes.stream().map(NodeStatus::digest).distinct().count() != 1
        || nodes.get(0).digest().isEmpty()) {
      Map<String, String> digests = new LinkedHashMap<>();
      nodes.forEach(node -> digests.put(node.id(), node.digest()));
      objections.add("the digests differ: " + digests);
    }
    String digest = nodes.get(0).digest();
    return new Finding(
        "replicas agree",
        Numbers.count(nodes.size(), "node", "nodes")
            + " at position "
            + Numbers.grouped(nodes.get(0).position())
            + ", digest "
            + digest.substring(0, Math.min(16, digest.length()))
            + " on all",
        objections.sentences());
  }

  private static String positions(List<NodeStatus> nodes) {
    SortedMap<String, Long> positions = new TreeMap<>();
    nodes.forEach(node -> positions.put(node.id(), node.position()));
    return positions.toString();
  }

  private interface Inquiry {
    CompletableFuture<Long> about(String name);
  }

  private SortedMap<String, Long> ask(
      SortedMap<String, Long> names, Inquiry inquiry, Objections objections) {
    SortedMap<String, Long> told = new TreeMap<>();
    for (String name : names.keySet()) {
      Long value = await(name, inquiry.about(name), objections);
      if (value != null) {
        told.put(name, value);
      }
    }
    return told;
  }

  private <T> @Nullable T await(String what, CompletableFuture<T> answer, Objections objections) {
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      objections.add("the cluster did not tell " + what + ": " + failed.getCause());
    } catch (TimeoutException late) {
      objections.add("the cluster did not tell " + what + " within " + patience.toSeconds() + " s");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      objections.add("interrupted while asking for " + what);
    }
    return null;
  }
}
