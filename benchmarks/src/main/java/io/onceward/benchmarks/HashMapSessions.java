package io.onceward.benchmarks;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code HashMap<UUID, …>} from client to last reply, in the order of last use, which is the order
 * of expiry. The record of a client is changed in place: the cheapest way there is.
 */
final class HashMapSessions implements SessionMemory {
  private static final byte[] NO_REPLY = {};

  private static final class Client {
    long sequence;
    long fingerprint;
    long position;
    long timeMillis;
    byte[] reply = NO_REPLY;

    Remembered last() {
      return new Remembered(reply, fingerprint, position, timeMillis);
    }
  }

  private final LinkedHashMap<UUID, Client> map = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable UUID[] ids = new @Nullable UUID[0];
  private int[] sequences = new int[0];

  @Override
  public void open(int client, long timeMillis) {
    Client opened = new Client();
    opened.timeMillis = timeMillis;
    map.put(NumberedIds.uuid(client), opened);
  }

  @Override
  public void prepare(int[] clients, int[] sequences, int count) {
    if (ids.length < count) {
      ids = new @Nullable UUID[count];
    }
    for (int i = 0; i < count; i++) {
      ids[i] = NumberedIds.uuid(clients[i]);
    }
    this.sequences = sequences;
  }

  @Override
  public void remember(int from, int to, long position, long timeMillis) {
    expire(timeMillis);
    for (int i = from; i < to; i++) {
      Client client = map.get(ids[i]);
      if (client == null) {
        throw new IllegalStateException("the client of request " + i + " is not known");
      }
      if (client.sequence + 1 != sequences[i]) {
        throw new IllegalStateException("request " + i + " cannot follow " + client.last());
      }
      client.sequence = sequences[i];
      client.fingerprint = NumberedIds.fingerprint(sequences[i]);
      client.position = position;
      client.timeMillis = timeMillis;
      client.reply = Replies.BYTES.clone();
    }
  }

  private void expire(long timeMillis) {
    Iterator<Client> idlest = map.values().iterator();
    while (idlest.hasNext() && idlest.next().timeMillis + EXPIRY_MILLIS < timeMillis) {
      idlest.remove();
    }
  }

  @Override
  public void release() {
    Arrays.fill(ids, null);
  }

  @Override
  public long size() {
    return map.size();
  }
}
