package io.onceward.server.engine.ratis;

import io.onceward.server.engine.EngineSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * The votes of this node. Ratis writes term and vote to a new file, syncs it, and renames it; it
 * does not sync the folder. A loss of power would bring back the file from before, and the node
 * could vote a second time in the same term, for somebody else: two leaders. So the folder is
 * synced before a vote leaves, be it for another candidate ({@link #keeping}) or for itself ({@link
 * MemberRpc}). An entry needs none of it: it says its term itself.
 */
final class Votes {
  private static final long IDLE_SECONDS = 10;

  private final Path folder;
  private final Failure failure;

  /**
   * Ratis interrupts threads that still ask for votes when an election is over. An interrupt closes
   * the file that is being synced, which is no failure of the disk, so nobody interrupts this one.
   */
  private final Executor syncing;

  Votes(EngineSettings settings, Failure failure) {
    this.folder = settings.folder().resolve(Peers.GROUP.getUuid().toString()).resolve("current");
    this.failure = failure;
    this.syncing =
        new ThreadPoolExecutor(
            0,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "onceward-" + settings.self().id() + "-votes");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Makes the last vote survive a loss of power.
   *
   * @throws IOException if that is not certain; the node has failed then (L4), unless whoever asks
   *     was interrupted
   */
  void sync() throws IOException {
    CompletableFuture<Void> synced = CompletableFuture.runAsync(this::syncOrFail, syncing);
    try {
      synced.get();
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before the vote was synced");
    }
  }

  private void syncOrFail() {
    try {
      Disk.sync(folder);
    } catch (IOException problem) {
      failure.fail(
          "a vote could not be synced in " + folder + ": " + Failure.reason(problem), problem);
      throw new UncheckedIOException(problem);
    }
  }

  /** A call whose answer, if it gives a vote, leaves once the vote is synced. */
  <A, B> ServerCall<A, B> keeping(ServerCall<A, B> call) {
    return new SimpleForwardingServerCall<A, B>(call) {
      private boolean failed;

      @Override
      public void sendMessage(B answer) {
        try {
          if (gives(answer)) {
            sync();
          }
          super.sendMessage(answer);
        } catch (IOException problem) {
          failed = true;
          super.close(Status.INTERNAL.withDescription("the vote is not on disk"), new Metadata());
        }
      }

      @Override
      public void close(Status status, Metadata trailers) {
        if (!failed) {
          super.close(status, trailers);
        }
      }
    };
  }

  private static boolean gives(Object answer) {
    return answer instanceof RequestVoteReplyProto reply && reply.getServerReply().getSuccess();
  }
}
