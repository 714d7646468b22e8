package io.onceward.spring;

import io.onceward.spring.MatrixApplication.Caller;
import io.onceward.spring.MatrixApplication.Ledger;
import io.onceward.spring.MatrixApplication.Script;
import io.onceward.spring.MatrixCell.Ending;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The application of the matrix in a process of its own, which brings all requests that a crash is
 * to end as far as to their crash, says so, and is killed.
 */
final class MatrixChild {
  /** How its connections are called in the database. */
  static final String NAME = "matrix-child";

  private static final String READY = "ALL REQUESTS ARE WHERE THE CRASH IS";
  private static final int PATIENCE_SECONDS = 30;

  private final Process process;

  private MatrixChild(Process process) {
    this.process = process;
  }

  static MatrixChild start(PGSimpleDataSource database, boolean jpa, String... properties)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(MatrixChild.class.getName(), database.getURL(), String.valueOf(jpa)));
    command.addAll(List.of(properties));
    return new MatrixChild(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** Waits until all requests are where the crash is. */
  void awaitReady() throws IOException {
    StringBuilder said = new StringBuilder();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.equals(READY)) {
        return;
      }
      said.append(line).append('\n');
    }
    throw new IllegalStateException("the process ended before its crash:\n" + said);
  }

  /** Kills it, with nothing closed and nothing said. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  public static void main(String[] words) throws Exception {
    endWithParent();
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(words[0]);
    database.setApplicationName(NAME);
    database.setUser("postgres");
    List<String> properties = new ArrayList<>(List.of(words).subList(2, words.length));
    properties.add("spring.datasource.hikari.maximum-pool-size=20");
    Running app =
        Running.withoutWebOn(
            database,
            Boolean.parseBoolean(words[1]),
            MatrixApplication.class,
            properties.toArray(new String[0]));
    Map<String, CountDownLatch> there = new ConcurrentHashMap<>();
    Script script = app.bean(Script.class);
    script.process = "the killed process";
    script.during =
        key -> {
          app.bean(Ledger.class).send();
          CountDownLatch reached = there.get(key);
          if (key.endsWith("crash before commit")) {
            stay(reached);
          }
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  stay(reached);
                }
              });
        };
    // Those that commit come first: open transactions must not be in their way.
    for (Ending ending : new Ending[] {Ending.CRASH_AFTER_COMMIT, Ending.CRASH_BEFORE_COMMIT}) {
      for (MatrixCell cell : MatrixCell.all()) {
        if (cell.ending() == ending) {
          CountDownLatch reached = new CountDownLatch(1);
          there.put(cell.key(), reached);
          daemon(() -> System.out.println(cell.key() + ": " + app.bean(Caller.class).call(cell)));
          if (!reached.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(cell.key() + " does not come to its crash");
          }
        }
      }
    }
    System.out.println(READY);
    stay(new CountDownLatch(1));
  }

  private static void stay(CountDownLatch reached) {
    reached.countDown();
    while (true) {
      LockSupport.park();
    }
  }

  /** Its input ends with the process that started it. */
  private static void endWithParent() {
    daemon(
        () -> {
          try {
            while (System.in.read() >= 0) {
              // Nobody writes.
            }
          } catch (IOException gone) {
            // The same.
          }
          Runtime.getRuntime().halt(1);
        });
  }

  private static void daemon(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    thread.start();
  }
}
