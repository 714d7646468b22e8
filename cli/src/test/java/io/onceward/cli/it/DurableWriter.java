package io.onceward.cli.it;

import io.onceward.client.Decided;
import io.onceward.client.DurableSession;
import io.onceward.client.Onceward;
import io.onceward.client.Recovered;
import io.onceward.client.SessionLostException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * An application that is killed now and then: it adds 1 to a counter under each of the tags 1, 2, 3
 * … and writes what it is told into its books, one line per tag. When it comes back it asks only
 * for what neither its books nor its journal have.
 *
 * <p>Words: addresses, durable name, journal, books, number of tags, and what to do: {@code work},
 * {@code neglect} (never takes a reply), or {@code hold} (waits for a line before each request).
 */
final class DurableWriter {
  private static final int UNDER_WAY = 16;

  private final DurableSession session;
  private final String counter;
  private final Path books;
  private final Map<String, Boolean> recovered = new ConcurrentHashMap<>();

  private DurableWriter(DurableSession session, String counter, Path books) {
    this.session = session;
    this.counter = counter;
    this.books = books;
  }

  public static void main(String[] words) throws Exception {
    String name = words[1];
    Path journal = Path.of(words[2]);
    ExecutorService callbacks = Executors.newSingleThreadExecutor();
    try (Onceward client =
            Onceward.builder()
                .addresses(List.of(words[0].split(",", -1)))
                .completeOn(callbacks)
                .build();
        DurableSession session = client.openDurable(name, journal).join()) {
      DurableWriter writer = new DurableWriter(session, name, Path.of(words[3]));
      int tags = Integer.parseInt(words[4]);
      say("open " + session.info().incarnation());
      switch (words[5]) {
        case "work" -> writer.work(tags);
        case "neglect" -> writer.neglect(tags);
        case "hold" -> writer.hold();
        default -> throw new IllegalArgumentException(words[5]);
      }
    } finally {
      callbacks.shutdown();
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  // ---- work -----------------------------------------------------------------------------------

  private void work(int tags) throws Exception {
    Set<String> booked = new LinkedHashSet<>();
    if (Files.exists(books)) {
      Files.readAllLines(books).forEach(line -> booked.add(line.split(" ", -1)[0]));
    }
    Set<String> wanted = new LinkedHashSet<>();
    for (int tag = 1; tag <= tags; tag++) {
      wanted.add(String.valueOf(tag));
    }
    wanted.removeAll(booked);
    CountDownLatch open = new CountDownLatch(wanted.size() + session.recovered().size());
    for (Recovered left : session.recovered()) {
      recovered.put(left.tag(), true);
      say("recovered " + left.tag() + " " + left.state());
      bookWhenDecided(left.tag(), left.decision(), open::countDown);
    }
    Semaphore room = new Semaphore(UNDER_WAY);
    for (String tag : wanted) {
      if (recovered.containsKey(tag)) {
        open.countDown();
        continue;
      }
      room.acquire();
      bookWhenDecided(
          tag,
          session.submit(tag, Commands.COUNTER, Commands.add(counter)),
          () -> {
            room.release();
            open.countDown();
          });
    }
    open.await();
    say("done");
  }

  private void bookWhenDecided(String tag, CompletableFuture<Decided> decision, Runnable then) {
    var unused =
        decision.whenComplete(
            (decided, problem) -> {
              if (problem == null) {
                book(tag, Commands.value(decided.reply()));
                // If it is killed here, it is handed this tag once more.
                session.taken(tag);
              } else {
                say("failed " + tag + " " + problem);
              }
              then.run();
            });
  }

  private synchronized void book(String tag, long value) {
    try {
      Files.writeString(
          books,
          tag + " " + value + "\n",
          StandardCharsets.UTF_8,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  // ---- neglect --------------------------------------------------------------------------------

  /** Takes nothing, lets the watermark pass everything nevertheless, and waits to be killed. */
  private void neglect(int tags) throws Exception {
    for (int tag = 1; tag <= tags; tag++) {
      session.submit(String.valueOf(tag), Commands.COUNTER, Commands.add(counter)).get();
    }
    Patience.until(
        "a watermark behind all " + tags + " replies", () -> session.info().watermark() > tags);
    String carrier = String.valueOf(tags + 1);
    Decided last = session.submit(carrier, Commands.COUNTER, Commands.add(counter)).get();
    say("neglected " + last.id().print());
    new CountDownLatch(1).await();
  }

  // ---- hold -----------------------------------------------------------------------------------

  private void hold() throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String tag = in.readLine(); tag != null; tag = in.readLine()) {
      try {
        Decided decided = session.submit(tag, Commands.COUNTER, Commands.add(counter)).get();
        say("told " + tag + " " + Commands.value(decided.reply()));
      } catch (ExecutionException failed) {
        say("lost " + tag + " " + failed.getCause().getClass().getSimpleName());
        if (failed.getCause() instanceof SessionLostException lost) {
          say("reason " + lost.refusal() + " " + lost.unknownTags());
        }
      } catch (RuntimeException refused) {
        say("refused " + tag + " " + refused.getMessage());
      }
    }
  }
}
