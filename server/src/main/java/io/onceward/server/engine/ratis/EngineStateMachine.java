package io.onceward.server.engine.ratis;

import io.onceward.server.engine.EngineSettings;
import io.onceward.server.engine.Machine;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.server.storage.RaftStorageMetadataFile;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * What Ratis drives, and which drives the machine in turn. Entries are applied by one thread of
 * Ratis; freezing for a snapshot that was asked for happens on another one, so a lock keeps the two
 * apart. It is never taken by who holds a lock of Ratis.
 */
final class EngineStateMachine extends BaseStateMachine {

  /** What happens to this node, told by threads of Ratis that hold its locks: be quick. */
  interface Events {
    void elected(RaftPeerId leader);

    void ready(long term);

    void resigned();

    void configurationChanged();

    /** Ratis has closed the log by itself, for whatever reason. */
    void stopped();

    /** Ratis has closed the log because this node is no member any more. */
    void removed();
  }

  private static final CompletableFuture<Message> APPLIED =
      CompletableFuture.completedFuture(Message.EMPTY);

  private final EngineSettings settings;
  private final Machine machine;
  private final Failure failure;
  private final Events events;
  private final Outstanding outstanding;
  private final ReadBarriers barriers;
  private final SnapshotFolder folder = new SnapshotFolder();
  private final SnapshotWriter writer;
  private final ReentrantLock applying = new ReentrantLock();
  private final AtomicBoolean closed = new AtomicBoolean();
  private long configurationTerm;

  EngineStateMachine(
      EngineSettings settings,
      Machine machine,
      Failure failure,
      Events events,
      Outstanding outstanding,
      ReadBarriers barriers,
      LongConsumer purge) {
    this.settings = settings;
    this.machine = machine;
    this.failure = failure;
    this.events = events;
    this.outstanding = outstanding;
    this.barriers = barriers;
    this.writer = new SnapshotWriter(settings, machine, folder, purge, failure);
  }

  SnapshotFolder folder() {
    return folder;
  }

  /** Held while the machine is applying; who holds it can rely on nothing being applied. */
  ReentrantLock applying() {
    return applying;
  }

  // ---- coming up ------------------------------------------------------------------------------

  /**
   * Ratis has locked the folder and read nothing of the log yet. The transitions matter: without
   * them a snapshot can be received, but never loaded.
   */
  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    getLifeCycle()
        .startAndTransition(
            () -> {
              folder.init(storage);
              folder.repair();
              Path current = storage.getStorageDir().getCurrentDir().toPath();
              LogInspection log = LogInspection.of(current, RatisSettings.logEntryBytes(settings));
              load();
              remember(storage.getMetadataFile(), Math.max(log.lastTerm(), snapshotTerm()));
              long next = folder.latestIndex() + 1;
              if (log.first() > next) {
                throw new PlainException(hole(log.first(), next), null);
              }
              if (Math.max(next - 1, log.last()) < folder.newestDamagedIndex()) {
                // It would come up as a voter that has forgotten what it acknowledged.
                throw new PlainException(forgotten(next - 1), null);
              }
              syncFolders(storage.getStorageDir().getRoot().toPath());
            });
  }

  /**
   * Makes the folders last in which votes and entries are kept, up to the one that holds the log.
   * Ratis makes its own and syncs none: the first vote of a node could vanish with its folder.
   */
  private void syncFolders(Path group) throws IOException {
    Disk.sync(group.resolve("current"));
    Disk.sync(group);
    Disk.sync(settings.folder());
    Path above = settings.folder().toAbsolutePath().getParent();
    if (above != null) {
      Disk.sync(above);
    }
  }

  /**
   * A loss of power may bring back a term from before the last entry, since Ratis does not sync the
   * folder when it learns of a term. Its votes are synced ({@link Votes}); having voted for itself,
   * it gives none in a term that it has forgotten.
   */
  private void remember(RaftStorageMetadataFile file, long term) throws IOException {
    if (file.getMetadata().getTerm() < term) {
      file.persist(RaftStorageMetadata.valueOf(term, Peers.id(settings.self())));
    }
  }

  private long snapshotTerm() {
    SingleFileSnapshotInfo snapshot = folder.getLatestSnapshot();
    return snapshot == null ? 0 : snapshot.getTerm();
  }

  private String hole(long first, long next) {
    String damaged =
        folder.damaged().isEmpty()
            ? "there is no snapshot of what came before"
            : "the snapshot of what came before is damaged: " + String.join(", ", folder.damaged());
    return "the log in "
        + settings.folder()
        + " begins at position "
        + first
        + ", position "
        + next
        + " is needed, and "
        + damaged
        + ". Remove this member from the cluster, and add it again with an empty folder";
  }

  private String forgotten(long last) {
    return "the snapshot in "
        + settings.folder()
        + " that reaches to position "
        + folder.newestDamagedIndex()
        + " is damaged: "
        + String.join(", ", folder.damaged())
        + ", and nothing else here reaches beyond position "
        + Math.max(last, 0)
        + ". Remove this member from the cluster, and add it again with an empty folder";
  }

  private void load() throws IOException {
    folder.open();
    SingleFileSnapshotInfo snapshot = folder.getLatestSnapshot();
    if (snapshot == null) {
      return;
    }
    Path file = snapshot.getFile().getPath();
    applying.lock();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 18)) {
      machine.restore(in);
    } catch (IOException | RuntimeException | Error problem) {
      throw new PlainException(
          "the snapshot " + file + " cannot be loaded: " + Failure.reason(problem), problem);
    } finally {
      applying.unlock();
    }
    setLastAppliedTermIndex(snapshot.getTermIndex());
    writer.restored(snapshot.getFile().getFileSize());
  }

  /**
   * A snapshot of the leader has arrived and is about to be put in place; then {@link
   * #reinitialize} is called by who applies. A snapshot of our own that is being written is
   * outdated by it.
   */
  @Override
  public void pause() {
    LifeCycle life = getLifeCycle();
    boolean running = life.compareAndTransition(LifeCycle.State.RUNNING, LifeCycle.State.PAUSING);
    writer.suspend();
    try {
      folder.syncReceived();
    } catch (IOException problem) {
      failure.fail(
          "a received snapshot could not be synced in "
              + settings.folder()
              + ": "
              + Failure.reason(problem),
          problem);
      throw new IllegalStateException(problem);
    }
    if (running) {
      life.transition(LifeCycle.State.PAUSED);
    }
  }

  @Override
  public void reinitialize() throws IOException {
    try {
      getLifeCycle().startAndTransition(this::load);
    } catch (IOException | RuntimeException | Error problem) {
      failure.fail(Failure.reason(problem), problem);
      throw problem;
    }
    barriers.applied(getLastAppliedTermIndex().getIndex());
  }

  // ---- entries --------------------------------------------------------------------------------

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) {
    TransactionContext.Builder context =
        TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request);
    if (request.getMessage() instanceof Submission submission) {
      return context.setStateMachineContext(submission).build();
    }
    return context
        .build()
        .setException(new IOException("entries come from the node itself, and from nobody else"));
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    Submission submission =
        transaction.getStateMachineContext() instanceof Submission ours ? ours : null;
    byte[] bytes =
        submission != null
            ? submission.entry()
            : EntryBytes.of(entry.getStateMachineLogEntry().getLogData());
    applying.lock();
    try {
      if (failure.happened()) {
        throw new IllegalStateException("this node has stopped");
      }
      Object handle =
          submission != null && outstanding.claim(submission) ? submission.handle() : null;
      apply(entry.getTerm(), entry.getIndex(), bytes, handle);
    } finally {
      applying.unlock();
    }
    barriers.applied(entry.getIndex());
    return APPLIED;
  }

  private void apply(long term, long index, byte[] bytes, @Nullable Object handle) {
    try {
      machine.apply(index, term, bytes, handle);
      TermIndex at = TermIndex.valueOf(term, index);
      updateLastAppliedTermIndex(at);
      writer.applied(at, bytes.length);
    } catch (Throwable problem) {
      failure.fail(
          "applying the entry at position " + index + " failed: " + Failure.reason(problem),
          problem);
      throw problem;
    }
  }

  /** A configuration was applied; the machine does not see it. */
  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    super.notifyTermIndexUpdated(term, index);
    barriers.applied(index);
  }

  /**
   * A snapshot of what is applied by now. Who asks may be the thread that applies, from within the
   * machine: then it holds the lock, and the machine is already at an entry that does not count as
   * applied yet. A snapshot taken there would hold more than its name says, and on a restart that
   * entry would come a second time.
   */
  CompletableFuture<Long> snapshot() {
    if (applying.isHeldByCurrentThread()) {
      return CompletableFuture.completedFuture(true).thenComposeAsync(later -> snapshot());
    }
    applying.lock();
    try {
      return writer.take(getLastAppliedTermIndex(), this::snapshot);
    } catch (RuntimeException problem) {
      return CompletableFuture.failedFuture(problem);
    } finally {
      applying.unlock();
    }
  }

  /** Ratis asks for one only when it is told to, which it is not. */
  @Override
  public long takeSnapshot() {
    return folder.latestIndex();
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return folder;
  }

  // ---- events ---------------------------------------------------------------------------------

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId self, RaftPeerId leader) {
    events.elected(leader);
  }

  @Override
  public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto members) {
    configurationTerm = term;
    events.configurationChanged();
  }

  /** Called right after the configuration with which this leader opens its term was applied. */
  @Override
  public void notifyLeaderReady() {
    events.ready(configurationTerm);
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    events.resigned();
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
    failure.fail(
        "the log in " + settings.folder() + " could not be written: " + Failure.reason(cause),
        cause);
  }

  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean all) {
    if (!all) {
      events.removed();
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      writer.suspend();
      events.stopped();
    }
  }
}
