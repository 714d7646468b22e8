package io.onceward.testkit.history.numbered;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Lists that only grow. Of each list it keeps the length and a running digest, which depends on
 * every value and on their order, so that a reply vouches for the whole list and a run of a million
 * appends does not need the room for them.
 *
 * <p>The digest of an empty list is 0; a value turns the digest d into {@code (d ^ FNV-1a(value)) *
 * 0x100000001b3}, with the 64-bit FNV-1a.
 */
final class ListAppends implements Service {
  private static final int SNAPSHOT_VERSION = 1;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final Grown EMPTY = new Grown(0, 0);

  private record Grown(long length, long digest) {}

  private final TreeMap<String, Grown> lists = new TreeMap<>();

  @Override
  public Reply execute(Command command) {
    return answer(command, true);
  }

  @Override
  public Reply query(Command question) {
    return answer(question, false);
  }

  private Reply answer(Command asked, boolean mayChange) {
    ByteBuffer in = asked.payload().asBuffer();
    try {
      byte code = in.get();
      byte[] name = new byte[in.getShort()];
      in.get(name);
      String key = new String(name, StandardCharsets.UTF_8);
      if (code == ListCommand.READ) {
        return told(lists.getOrDefault(key, EMPTY));
      } else if (code == ListCommand.APPEND && mayChange) {
        return told(append(key, in));
      }
      return Reply.businessError("there is no list command " + code + " that may be sent so");
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      return Reply.businessError("malformed list command");
    }
  }

  private Grown append(String key, ByteBuffer value) {
    long hash = FNV_OFFSET;
    while (value.hasRemaining()) {
      hash = (hash ^ (value.get() & 0xff)) * FNV_PRIME;
    }
    Grown before = lists.getOrDefault(key, EMPTY);
    Grown after = new Grown(before.length() + 1, (before.digest() ^ hash) * FNV_PRIME);
    lists.put(key, after);
    return after;
  }

  private static Reply told(Grown list) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
    return Reply.ok(Bytes.of(bytes.putLong(list.length()).putLong(list.digest()).array()));
  }

  @Override
  public Frozen freeze() {
    TreeMap<String, Grown> frozen = new TreeMap<>(lists);
    return target -> {
      DataOutputStream out = new DataOutputStream(target);
      out.writeByte(SNAPSHOT_VERSION);
      out.writeInt(frozen.size());
      for (Map.Entry<String, Grown> list : frozen.entrySet()) {
        out.writeUTF(list.getKey());
        out.writeLong(list.getValue().length());
        out.writeLong(list.getValue().digest());
      }
      out.flush();
    };
  }

  @Override
  public void restore(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    int version = in.readUnsignedByte();
    if (version != SNAPSHOT_VERSION) {
      throw new IOException("the lists have version " + version + ", not " + SNAPSHOT_VERSION);
    }
    int count = in.readInt();
    TreeMap<String, Grown> restored = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      restored.put(in.readUTF(), new Grown(in.readLong(), in.readLong()));
    }
    lists.clear();
    lists.putAll(restored);
  }
}
