package io.onceward.cli.demo;

import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.cli.demo.Line.Abandoned;
import io.onceward.cli.demo.Line.Asked;
import io.onceward.cli.demo.Line.Complaint;
import io.onceward.cli.demo.Line.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The books as the clients wrote them: what was asked, what was told, and what therefore must be in
 * the counters and accounts, if every request that was decided took effect once and no other did.
 *
 * <p>Records are read one after the other and only what is still open is kept, so that the books of
 * a long run fit in a small memory.
 */
final class Books {
  /** An errand that still waits for an answer. */
  private static final class Open {
    final Asked asked;
    @Nullable Told told;
    int missing;

    Open(Asked asked) {
      this.asked = asked;
      this.missing = asked.copies();
    }
  }

  private static final int MOST_RECENT = 4_096;
  private static final int SAMPLE = 500;

  /** An errand by key and the answer to it. */
  record Keyed(Errand errand, Told told) {}

  private final Expectation expected = new Expectation();
  private final Objections objections = new Objections();
  private final SortedMap<String, Longs> adds = new TreeMap<>();
  private final SortedMap<String, Longs> sequences = new TreeMap<>();

  /** Settled, but a client that died before it could say that it took the reply is told again. */
  private final Map<String, Told> recent =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Told> eldest) {
          return size() > MOST_RECENT;
        }
      };

  private final Random dice = new Random(1);
  private final List<Keyed> sample = new ArrayList<>();
  private long keyed;
  private long asked;
  private long told;
  private long repeated;
  private long declined;
  private long abandoned;
  private long unsent;

  /**
   * Reads the records of one client.
   *
   * @param files one for each of its processes, in the order in which they ran
   * @param killed whether a process of it was killed; then errands may have died with it before
   *     they were sent
   */
  void read(String client, List<Path> files, boolean killed) throws IOException {
    Map<String, Open> open = new HashMap<>();
    recent.clear();
    for (Path file : files) {
      RecordFile.read(file, line -> enter(client, line, open));
    }
    for (Open rest : open.values()) {
      if (rest.told == null && killed) {
        unsent++;
      } else if (rest.told == null) {
        objections.add(
            client
                + " was never told what became of \""
                + rest.asked.errand().print()
                + "\" ("
                + rest.asked.tag()
                + ")");
      }
    }
  }

  private void enter(String client, Line line, Map<String, Open> open) {
    if (line instanceof Asked question) {
      asked++;
      if (open.put(question.tag(), new Open(question)) != null) {
        objections.add(client + " used the tag " + question.tag() + " twice");
      }
    } else if (line instanceof Told answer) {
      Open errand = open.get(answer.tag());
      if (errand != null) {
        settle(client, errand, answer, open);
      } else {
        repeat(client, recent.get(answer.tag()), answer);
      }
    } else if (line instanceof Abandoned answer) {
      abandoned++;
      if (open.remove(answer.tag()) == null) {
        objections.add(client + " abandoned " + answer.id() + ", which is settled");
      }
    } else if (line instanceof Complaint complaint) {
      objections.add(client + ": " + complaint.text());
    }
  }

  private void settle(String client, Open errand, Told answer, Map<String, Open> open) {
    if (errand.told == null) {
      errand.told = answer;
      told++;
      post(errand.asked.errand(), answer);
    } else {
      repeat(client, errand.told, answer);
    }
    errand.missing--;
    if (errand.missing == 0) {
      open.remove(answer.tag());
      recent.put(answer.tag(), answer);
    }
  }

  /** A client that came back asks again under the same sequence, but as the one it is now. */
  private static boolean sameRequest(RequestId one, RequestId other) {
    return one instanceof RequestId.OfSequence first && other instanceof RequestId.OfSequence again
        ? first.sequence() == again.sequence()
            && first.address().session() == again.address().session()
            && first.address().clusterTag() == again.address().clusterTag()
        : one.equals(other);
  }

  /** Another answer to the same request must be the same answer. */
  private void repeat(String client, @Nullable Told before, Told answer) {
    repeated++;
    if (before == null) {
      objections.add(
          client
              + " was told about "
              + answer.id()
              + ", which it had not asked, or long ago: "
              + Replies.describe(answer));
    } else if (!sameRequest(before.id(), answer.id())
        || !before.reply().equals(answer.reply())
        || before.position() != answer.position()
        || before.timeMillis() != answer.timeMillis()) {
      objections.add(
          client
              + " was told two things about "
              + answer.id()
              + ": "
              + Replies.describe(before)
              + ", then "
              + Replies.describe(answer));
    }
  }

  /** Enters an errand that took effect. */
  private void post(Errand errand, Told answer) {
    if (answer.id() instanceof RequestId.OfSequence id) {
      sequences
          .computeIfAbsent(Long.toHexString(id.address().session()), session -> new Longs())
          .add(id.sequence(), answer.position());
    } else if (answer.id() instanceof RequestId.OfKey id && id.scope().equals(Desk.KEPT)) {
      sample(new Keyed(errand, answer));
    }
    switch (answer.reply().kind()) {
      case OK -> expected.post(errand);
      case BUSINESS_ERROR -> declined++;
      case FAILED, REPLY_TOO_LARGE ->
          objections.add(
              "\""
                  + errand.print()
                  + "\" ("
                  + answer.id()
                  + ") was answered with "
                  + answer.reply().kind());
    }
    if (errand instanceof Errand.Add add && answer.reply().kind() == Reply.Kind.OK) {
      adds.computeIfAbsent(add.counter(), counter -> new Longs())
          .add(Replies.counterValue(answer.reply()), add.amount());
    }
  }

  /** Each has the same chance to stay, however many there are. */
  private void sample(Keyed entry) {
    keyed++;
    if (sample.size() < SAMPLE) {
      sample.add(entry);
    } else {
      long place = (long) (dice.nextDouble() * keyed);
      if (place < SAMPLE) {
        sample.set((int) place, entry);
      }
    }
  }

  /** Some of the requests by key whose replies are kept. */
  List<Keyed> keyed() {
    return List.copyOf(sample);
  }

  /** What must be in the counters and accounts. */
  Expectation expected() {
    return expected;
  }

  /** The new value that each addition to a counter was told, and what it added. */
  SortedMap<String, Longs> adds() {
    return adds;
  }

  /** The sequence and the log position of each request, by the session that sent it. */
  SortedMap<String, Longs> sequences() {
    return sequences;
  }

  /** What is wrong with the records by themselves. */
  List<String> objections() {
    return new ArrayList<>(objections.sentences());
  }

  long asked() {
    return asked;
  }

  /** Requests with a reply, each counted once. */
  long told() {
    return told;
  }

  /** Answers beyond the first to the same request. */
  long repeated() {
    return repeated;
  }

  /** Of the replies, how many were business errors. */
  long declined() {
    return declined;
  }

  long abandoned() {
    return abandoned;
  }

  /** Errands that died with a killed client before they were sent. */
  long unsent() {
    return unsent;
  }
}
