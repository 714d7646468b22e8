package io.onceward.crash.child;

import io.onceward.Key;
import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.crash.PlantedBug;
import io.onceward.crash.bank.BankService;
import io.onceward.crash.bank.Transfer;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Workers that make the mistakes of {@link PlantedBug}. */
final class BuggyWorkers {
  private BuggyWorkers() {}

  /** Null if the mistake is not the worker's. */
  static @Nullable Worker of(PlantedBug bug, ChildProgram child, int lane, Stops stops)
      throws IOException {
    return switch (bug) {
      case CLAIMS_BEFORE_THE_TRANSACTION,
          RECORDS_AFTER_THE_TRANSACTION,
          ANSWERS_BEFORE_THE_COMMIT ->
          new BuggySqlWorker(bug, child.database(), stops);
      case CALLS_WITHOUT_A_CLAIM -> new BuggyCallWorker(child.database(), child.bank(stops), stops);
      case TAKES_UNKNOWN_FOR_FREE ->
          child.guarded(lane, stops, () -> new Hasty(child.jdbcStore(stops), stops));
      case HAS_NO_FENCING ->
          child.guarded(lane, stops, () -> new Unfenced(child.jdbcStore(stops), stops, child));
      case PROBE_EXCLUDES_NOTHING -> null;
      case NEW_ID_FOR_A_RETRY -> {
        Gates gates = Gates.before(child.settings().clusterPort());
        yield new Renaming(lane, child.client(gates), stops, gates);
      }
      case TAKEN_BEFORE_TOLD -> {
        Gates gates = Gates.before(child.settings().clusterPort());
        yield new Forgetful(lane, child.client(gates), child.journal(lane), stops, gates);
      }
      case JOURNAL_LOCK_VANISHES -> {
        Gates gates = Gates.before(child.settings().clusterPort());
        yield new Unlocking(lane, child.client(gates), child.journal(lane), stops, gates);
      }
    };
  }

  /** Runs what is unknown again. */
  private static final class Hasty extends StoppingStore {
    Hasty(ClaimStore store, Stops stops) {
      super(store, stops, Gates.NONE);
    }

    @Override
    public Claimed claim(Ask ask, ClaimTerms terms) {
      Claimed claimed = store.claim(ask, terms);
      return claimed instanceof Claimed.Unknown unknown
          ? store.rerun(ask, unknown.request().fence(), terms)
          : claimed;
    }
  }

  /** Lets any run release any other. */
  private static final class Unfenced extends StoppingStore {
    private final ChildProgram child;

    Unfenced(ClaimStore store, Stops stops, ChildProgram child) {
      super(store, stops, Gates.NONE);
      this.child = child;
    }

    @Override
    public boolean release(GuardedId id, long fence) {
      try (Connection connection = child.database().getConnection();
          PreparedStatement statement =
              connection.prepareStatement(
                  "DELETE FROM onceward_request WHERE key_high = ? AND key_low = ?")) {
        statement.setLong(1, id.key().high());
        statement.setLong(2, id.key().low());
        return statement.executeUpdate() > 0;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Each copy has an id of its own. */
  private static final class Renaming extends ReplicatedWorker {
    Renaming(int lane, Onceward onceward, Stops stops, Gates gates) {
      super(lane, onceward, null, stops, gates);
    }

    @Override
    CompletableFuture<Decided> submit(Key key, Transfer transfer) {
      return onceward()
          .keyed()
          .submit(onceward().keyed().newKey(), BankService.NAME, transfer.encode());
    }
  }

  /** Closes a second descriptor of the lock, and POSIX drops the lock with it. */
  private static final class Unlocking extends ReplicatedWorker {
    private final @Nullable Path journal;

    Unlocking(int lane, Onceward onceward, @Nullable Path journal, Stops stops, Gates gates) {
      super(lane, onceward, journal, stops, gates);
      this.journal = journal;
    }

    @Override
    public void begin() throws IOException {
      super.begin();
      if (journal != null) {
        FileChannel.open(ChildProgram.lockOf(journal), StandardOpenOption.WRITE).close();
      }
    }
  }

  /** Takes replies before it has told them. */
  private static final class Forgetful extends ReplicatedWorker {
    Forgetful(int lane, Onceward onceward, @Nullable Path journal, Stops stops, Gates gates) {
      super(lane, onceward, journal, stops, gates);
    }

    @Override
    CompletableFuture<Decided> submit(Key key, Transfer transfer) {
      Decided decided = super.submit(key, transfer).join();
      super.taken(transfer.request());
      return CompletableFuture.completedFuture(decided);
    }

    @Override
    public void taken(String request) {}
  }
}
