package io.onceward.crash.child;

import io.onceward.client.ClusterStore;
import io.onceward.client.Onceward;
import io.onceward.crash.Home;
import io.onceward.crash.PlantedBug;
import io.onceward.files.FileInUseException;
import io.onceward.files.ProcessLock;
import io.onceward.guard.ClaimStore;
import io.onceward.jdbc.JdbcClaimStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process that is going to be killed. It says {@code warm} when it is prepared, is told {@code
 * burgle} while the one before it lives and says into how many of its journals it got, is told
 * {@code begin} when that one is dead, and says {@code ready}; from then on it works for its
 * callers and says {@code at LANE STEP} wherever it has stopped. It ends with its standard input.
 */
public final class ChildProgram {
  private final Home home;
  private final @Nullable PlantedBug bug;
  private final ChildSettings settings;

  private ChildProgram(ChildSettings settings) {
    this.settings = settings;
    this.home = settings.home();
    this.bug = settings.bug();
  }

  public static void main(String[] words) throws Exception {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    try {
      run(ChildSettings.of(List.of(words)), System.in);
    } catch (Exception e) {
      complain("it failed", e);
    }
    Runtime.getRuntime().halt(0);
  }

  /** Works until the input ends. */
  public static void run(ChildSettings settings, InputStream input) throws Exception {
    new ChildProgram(settings).work(input);
  }

  private void work(InputStream input) throws Exception {
    List<Lane> lanes = new ArrayList<>();
    List<CompletableFuture<Void>> prepared = new ArrayList<>();
    for (int i = 0; i < settings.lanes(); i++) {
      Stops stops = new Stops(i);
      Lane lane = new Lane(i, settings.callerPort(), stops, worker(i, stops));
      lanes.add(lane);
      prepared.add(lane.start(i));
    }
    CompletableFuture.allOf(prepared.toArray(new CompletableFuture<?>[0])).get();
    say("warm");
    BufferedReader in = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
    String word = in.readLine();
    while ("burgle".equals(word)) {
      say("got into " + openJournals());
      word = in.readLine();
    }
    if ("begin".equals(word)) {
      for (Lane lane : lanes) {
        lane.begin();
      }
      say("ready");
      while (in.readLine() != null) {
        // Until whoever started this is gone.
      }
    }
  }

  /** How many journals nobody has locked. */
  private int openJournals() throws IOException {
    int open = 0;
    for (int i = 0; i < settings.lanes(); i++) {
      Path journal = journal(i);
      if (journal != null) {
        try {
          ProcessLock.take(lockOf(journal)).close();
          open++;
        } catch (FileInUseException locked) {
          // As it should be.
        }
      }
    }
    return open;
  }

  static Path lockOf(Path journal) {
    return journal.resolveSibling(journal.getFileName() + ".lock");
  }

  private Worker worker(int lane, Stops stops) throws IOException {
    if (bug != null) {
      Worker buggy = BuggyWorkers.of(bug, this, lane, stops);
      if (buggy != null) {
        return buggy;
      }
    }
    return switch (home) {
      case TRANSACTION -> new TransactionWorker(database(), stops);
      case GUARD_ON_JDBC -> guarded(lane, stops, () -> jdbcStore(stops));
      case GUARD_ON_CLUSTER -> {
        Gates gates = Gates.before(settings.clusterPort());
        Onceward client = client(gates);
        yield guarded(lane, stops, () -> clusterStore(client, stops, gates));
      }
      case REPLICATED -> {
        Gates gates = Gates.before(settings.clusterPort());
        yield new ReplicatedWorker(lane, client(gates), journal(lane), stops, gates);
      }
    };
  }

  PGSimpleDataSource database() {
    return LaneDataSource.plain(settings.postgresPort(), settings.database());
  }

  /** Every other lane leaves what is unknown to an operator. */
  Worker guarded(int lane, Stops stops, GuardWorker.Opening opening) {
    return new GuardWorker(opening, bank(stops), ChildSettings.hasProbe(lane));
  }

  BankCall bank(Stops stops) {
    return new BankCall(settings.bankPort(), stops);
  }

  ClaimStore jdbcStore(Stops stops) throws Exception {
    return new StoppingStore(
        JdbcClaimStore.on(LaneDataSource.of(database(), stops, sql -> null)), stops, Gates.NONE);
  }

  private ClaimStore clusterStore(Onceward client, Stops stops, Gates gates) {
    ClusterStore store =
        ClusterStore.on(client).name(settings.database()).sweepEvery(Duration.ZERO).open();
    store.unknowns(1);
    return new StoppingStore(store, stops, gates);
  }

  Onceward client(Gates gates) throws IOException {
    String address = gates.open();
    return Onceward.builder().address(address).reachedAt(told -> address).build();
  }

  /** Every other lane has none and sends keys. */
  @Nullable Path journal(int lane) {
    return ChildSettings.hasJournal(lane) ? settings.folder().resolve("lane-" + lane) : null;
  }

  ChildSettings settings() {
    return settings;
  }

  static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  static synchronized void complain(String what, Exception e) {
    System.err.println(what + ": " + e);
    e.printStackTrace();
    System.err.flush();
  }
}
