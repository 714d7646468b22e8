package io.onceward.server.engine.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;
import org.apache.ratis.proto.RaftProtos.FileChunkProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto.SnapshotChunkProto;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * Hands a snapshot to one follower, piece by piece. Ratis keeps each message that it sends until
 * its time would have run out, answered or not: a large snapshot, or many attempts at a follower
 * that is away, would fill the memory of the leader. So the pieces are read into a few buffers
 * which are used over and over. A buffer is free again when a message so many places later is asked
 * for, since Ratis lets only {@link #IN_FLIGHT} of them wait for an answer. Should a message of an
 * attempt that was given up still leave afterwards, the follower refuses it: the digest of the
 * whole does not fit.
 */
final class SnapshotPieces {
  /** How many messages may wait for the follower's answer. */
  static final int IN_FLIGHT = 8;

  /**
   * How many leave before the first answer. After that there is one for one, so that Ratis never
   * has to make a message wait: it would do that for long, even if it knows that the follower is
   * gone.
   */
  static final int AT_FIRST = IN_FLIGHT / 2;

  static final int PIECE_BYTES = 1 << 20;

  private final byte[][] buffers = new byte[IN_FLIGHT + 1][];
  private @Nullable FileChannel open;

  /**
   * The messages of one attempt; it ends the attempt before it.
   *
   * @param frame a message with everything but a piece
   * @param root the folder to which the name of the file is relative
   * @param gate called with the {@link System#nanoTime} at which the last message was handed out;
   *     returns when an answer came after it
   */
  Iterable<InstallSnapshotRequestProto> of(
      InstallSnapshotRequestProto frame,
      String attempt,
      SnapshotInfo snapshot,
      Path root,
      LongConsumer gate) {
    close();
    return () -> new Pieces(frame, attempt, snapshot, root, gate);
  }

  private void close() {
    FileChannel before = open;
    open = null;
    if (before != null) {
      try {
        before.close();
      } catch (IOException alreadyRead) {
        // Nothing was written to it.
      }
    }
  }

  private byte[] buffer(int index) {
    int slot = index % buffers.length;
    if (buffers[slot] == null) {
      buffers[slot] = new byte[PIECE_BYTES];
    }
    return buffers[slot];
  }

  private final class Pieces implements Iterator<InstallSnapshotRequestProto> {
    private final InstallSnapshotRequestProto frame;
    private final String attempt;
    private final SnapshotInfo snapshot;
    private final FileInfo file;
    private final String name;
    private final LongConsumer gate;
    private long offset;
    private int index;
    private long handedOut;

    Pieces(
        InstallSnapshotRequestProto frame,
        String attempt,
        SnapshotInfo snapshot,
        Path root,
        LongConsumer gate) {
      this.gate = gate;
      this.frame = frame;
      this.attempt = attempt;
      this.snapshot = snapshot;
      this.file = snapshot.getFiles().get(0);
      this.name = root.relativize(file.getPath()).toString();
    }

    @Override
    public boolean hasNext() {
      return offset < file.getFileSize();
    }

    @Override
    public InstallSnapshotRequestProto next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the snapshot " + file + " ends at " + offset);
      }
      if (index >= AT_FIRST) {
        gate.accept(handedOut);
      }
      ByteString bytes;
      try {
        bytes = read();
      } catch (IOException problem) {
        close();
        throw new IllegalStateException(
            "the snapshot " + file.getPath() + " cannot be sent: " + problem.getMessage(), problem);
      }
      long at = offset;
      offset += bytes.size();
      boolean last = !hasNext();
      if (last) {
        close();
      }
      FileChunkProto chunk =
          FileChunkProto.newBuilder()
              .setFilename(name)
              .setOffset(at)
              .setChunkIndex(index)
              .setDone(last)
              .setData(bytes)
              .setFileDigest(ByteString.copyFrom(file.getFileDigest().getDigest()))
              .build();
      SnapshotChunkProto piece =
          SnapshotChunkProto.newBuilder()
              .setRequestId(attempt)
              .setRequestIndex(index)
              .setTermIndex(snapshot.getTermIndex().toProto())
              .addFileChunks(chunk)
              .setTotalSize(file.getFileSize())
              .setDone(last)
              .build();
      index++;
      handedOut = System.nanoTime();
      return frame.toBuilder().setSnapshotChunk(piece).build();
    }

    private ByteString read() throws IOException {
      FileChannel channel = open;
      if (channel == null) {
        channel = FileChannel.open(file.getPath());
        open = channel;
      }
      int length = (int) Math.min(PIECE_BYTES, file.getFileSize() - offset);
      ByteBuffer bytes = ByteBuffer.wrap(buffer(index), 0, length);
      while (bytes.hasRemaining()) {
        if (channel.read(bytes) < 0) {
          throw new IOException("it ends before byte " + (offset + length));
        }
      }
      return UnsafeByteOperations.unsafeWrap(buffer(index), 0, length);
    }
  }
}
