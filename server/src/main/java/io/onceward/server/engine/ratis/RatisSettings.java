package io.onceward.server.engine.ratis;

import io.onceward.server.engine.EngineSettings;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * The engine's settings in the words of Ratis, with the reason for each departure from its
 * defaults. What is set to a default is set because something here relies on it.
 */
final class RatisSettings {
  private static final TimeDuration NEVER = TimeDuration.valueOf(3650, TimeUnit.DAYS);

  private static final long AHEAD_BYTES = 2L << 20;

  private RatisSettings() {}

  static RaftProperties of(EngineSettings settings) {
    RaftProperties properties = new RaftProperties();
    RaftServerConfigKeys.setStorageDir(properties, List.of(settings.folder().toFile()));
    log(properties, settings);
    memory(properties, settings);
    snapshots(properties);
    elections(properties, settings);
    peers(properties, settings);
    return properties;
  }

  private static void log(RaftProperties properties, EngineSettings settings) {
    // On, a follower starts a task per append and chains each one behind the previous flush.
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
    // On, each commit is followed by an entry that says so: a second write per entry.
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    // The log's own structures bear concurrent readers; the lock is fair and stalls them in a row.
    RaftServerConfigKeys.Log.setReadLockEnabled(properties, false);
    // An entry is synced before it counts, on the thread that wrote it. A failed sync fails the
    // log.
    RaftServerConfigKeys.Log.setAsyncFlushEnabled(properties, false);
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
    RaftServerConfigKeys.Log.setCorruptionPolicy(
        properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
    SizeInBytes segment = SizeInBytes.valueOf(settings.segmentBytes());
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, segment);
    // Written ahead with zeros, so that most syncs write data and no file length. In pieces: a
    // whole file at once would hold up everybody for some 50 ms.
    RaftServerConfigKeys.Log.setPreallocatedSize(
        properties, SizeInBytes.valueOf(Math.min(AHEAD_BYTES, segment.getSize())));
    // What may be purged is decided where snapshots are written.
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, 0);
    // Entries leave for the followers at once; the default waits a millisecond between them.
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(properties, TimeDuration.ZERO);
    // A member that was away is tried ten times a second for ever; the default tires to every 5 s.
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "1ms,10, 100ms,1000000000");
    // Every write passes this cache, which serves clients of Ratis. Each entry has its own call id.
    RaftServerConfigKeys.RetryCache.setExpiryTime(
        properties, TimeDuration.valueOf(1, TimeUnit.SECONDS));
  }

  /**
   * Together at most about 200 MiB, of which the caches fill only under load: two closed segments
   * and the open one, pending writes, the write buffer, and two messages per follower.
   */
  private static void memory(RaftProperties properties, EngineSettings settings) {
    SizeInBytes entry = SizeInBytes.valueOf(logEntryBytes(settings));
    // The limit of an entry, of a message with entries, and of what a reader of the log believes.
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, entry);
    RaftServerConfigKeys.Log.setWriteBufferSize(
        properties, SizeInBytes.valueOf(entry.getSize() + 64));
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(entry.getSize() + (2L << 20)));
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf(32L << 20));
    RaftServerConfigKeys.Log.setQueueByteLimit(
        properties, SizeInBytes.valueOf(Math.max(64L << 20, entry.getSize())));
    RaftServerConfigKeys.Write.setElementLimit(properties, 1024);
    RaftServerConfigKeys.Write.setByteLimit(
        properties, SizeInBytes.valueOf(Math.max(64L << 20, 2 * entry.getSize())));
    RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(
        properties, SizeInBytes.valueOf(SnapshotPieces.PIECE_BYTES));
    GrpcConfigKeys.Server.setInstallSnapshotRequestElementLimit(
        properties, SnapshotPieces.IN_FLIGHT);
  }

  private static void snapshots(RaftProperties properties) {
    // Ratis would stop applying while a snapshot is written. They are taken here instead.
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, true);
  }

  private static void elections(RaftProperties properties, EngineSettings settings) {
    TimeDuration min = millis(settings.electionMillisMin());
    TimeDuration max = millis(settings.electionMillisMax());
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, min);
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, max);
    // A node that forms a cluster alone has nobody to wait for.
    boolean alone = settings.members().size() == 1;
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, alone ? millis(10) : min);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, alone ? millis(20) : max);
    RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
    // For how long a leader that lost its majority does not stand again (default 10 s). It is also
    // the pause of the JVM after which a leader resigns.
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
        properties, TimeDuration.valueOf(1, TimeUnit.SECONDS));
    // By default a node that was suspended for a minute closes itself. It may as well go on.
    RaftServerConfigKeys.setCloseThreshold(properties, NEVER);
    // How long a node that is being added may stay silent. It may have a snapshot to load.
    RaftServerConfigKeys.setStagingTimeout(properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
  }

  private static void peers(RaftProperties properties, EngineSettings settings) {
    properties.set(RaftConfigKeys.Rpc.TYPE_KEY, PeerRpc.class.getName());
    GrpcConfigKeys.Server.setHost(properties, settings.bindHost());
    GrpcConfigKeys.Server.setPort(properties, settings.self().peerPort());
    // Zero stands for the loops that gRPC shares, of which RatisServer allows one. A loop of Ratis'
    // own would take two quiet seconds to close. (The loops that serve peers are PeerLoops.)
    GrpcConfigKeys.Client.setWorkerGroupSize(properties, 0);
    GrpcConfigKeys.setFlowControlWindow(properties, SizeInBytes.valueOf(4L << 20));
    // Serves clients of Ratis only, of which there are none.
    GrpcConfigKeys.Server.setAsyncRequestThreadPoolCached(properties, true);
    GrpcConfigKeys.Server.setAsyncRequestThreadPoolSize(properties, 1);
  }

  /** The largest entry with what Ratis puts around it: term, index, who submitted it. */
  static int logEntryBytes(EngineSettings settings) {
    return settings.maxEntryBytes() + (64 << 10);
  }

  private static TimeDuration millis(int millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }
}
