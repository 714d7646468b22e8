package io.onceward;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Tells copies of requests from new ones, and nothing else: no replies, no time, no sessions in the
 * log (rule S10). For those who have an apply loop of their own and fold this into its state.
 *
 * <pre>{@code
 * SimpleDoor door = new SimpleDoor();
 *
 * void apply(Entry entry) { // in log order, on every replica
 *   if (door.shouldApply(entry.key())) {
 *     state.change(entry.command());
 *   }
 * }
 * byte[] saved = door.toBytes(); // goes into the snapshot, beside the state
 * door = SimpleDoor.fromBytes(saved);
 * }</pre>
 *
 * <p>Of each client it remembers which of the last so many sequences, its window, were applied. A
 * sequence below the window is refused, whether it was applied or not: what may have happened must
 * not happen twice. A client that numbers its requests 1, 2, 3 … and has never more of them under
 * way than the window is wide loses nothing by that. {@link #answer} says why a request is refused.
 *
 * <p>A client named {@code auto:<node>-<incarnation>} is one process of a node. The incarnation is
 * a number that grows with each start of the node, such as its time; a node runs one process at a
 * time. So the first request of a new incarnation drops the one before it in the same step, and
 * what a dropped one still sends is refused: the memory holds one client per node.
 *
 * <p>All other clients are durable: nothing but {@link #close} forgets them. Each client takes
 * about an eighth of the window in bytes. The answers and the bytes follow from the calls alone, so
 * replicas that apply the same log agree. Not safe for use by several threads.
 */
public final class SimpleDoor {
  public static final int DEFAULT_WINDOW = 1024;

  /** The widest window. */
  public static final int MAX_WINDOW = 1 << 16;

  /** What the names of processes begin with that a node starts one after the other. */
  public static final String AUTO = "auto:";

  private static final int VERSION = 2;
  private static final int HEAD_BYTES = 1 + Integer.BYTES + Integer.BYTES;
  private static final int CHECKSUM_BYTES = Integer.BYTES;
  private static final int MOST_DIGITS = 19;

  /** What is known of a request. Only a new one is to be applied. */
  public enum Answer {
    /** It was not applied before; from now on it counts as applied. */
    NEW,
    /** It was applied: this is a copy. */
    APPLIED_BEFORE,
    /** It is below the window. Perhaps it was applied, perhaps not; it never will be. */
    TOO_OLD_TO_TELL,
    /** A later process of the same node has spoken since. It will not be applied any more. */
    SUPERSEDED
  }

  /**
   * The id of a request.
   *
   * @param client at most 128 bytes in UTF-8; if it begins with {@link #AUTO}, a node, a hyphen and
   *     the incarnation, a number from 0 without leading zeros
   * @param sequence 1, 2, 3 …; the same for all copies of one request
   */
  public record RequestKey(String client, long sequence) {
    public RequestKey {
      IdText.utf8("the name of a client", client, 0);
      if (client.startsWith(AUTO) && incarnation(client) < 0) {
        throw new IllegalArgumentException(
            "a client that begins with auto: is auto:<node>-<number>, got \"" + client + "\"");
      }
      if (sequence < 1) {
        throw new IllegalArgumentException("sequences begin with 1, got " + sequence);
      }
    }
  }

  /**
   * Bit {@code s % window} of {@code applied} is for sequence s, and top is the highest of them.
   */
  private static final class Client {
    private final BitSet applied;
    private long top;

    Client(int window) {
      applied = new BitSet(window);
    }
  }

  private final int window;
  private final SortedMap<String, Client> clients = new TreeMap<>();

  /** The incarnation of each node that has a client; follows from the clients. */
  private final Map<String, Long> incarnations = new TreeMap<>();

  public SimpleDoor() {
    this(DEFAULT_WINDOW);
  }

  /**
   * A door that remembers {@code window} sequences of each client.
   *
   * @param window from 1 to {@link #MAX_WINDOW}; the same on all replicas
   */
  public SimpleDoor(int window) {
    if (window < 1 || window > MAX_WINDOW) {
      throw new IllegalArgumentException(
          "a window is 1 to " + MAX_WINDOW + " sequences wide, got " + window);
    }
    this.window = window;
  }

  /**
   * Whether the request is to be applied now. True at most once for each key; the answer is
   * remembered as if it had been followed. Without a key always true.
   */
  public boolean shouldApply(@Nullable RequestKey key) {
    return answer(key) == Answer.NEW;
  }

  /**
   * The same in words: why a request is not to be applied. Asking counts as applying a request that
   * is new, so ask once. Without a key every request is new.
   */
  public Answer answer(@Nullable RequestKey key) {
    if (key == null) {
      return Answer.NEW;
    }
    Client client = clients.get(key.client());
    if (client == null) {
      client = enter(key.client());
      if (client == null) {
        return Answer.SUPERSEDED;
      }
    }
    long sequence = key.sequence();
    if (sequence > client.top) {
      moveTo(client, sequence);
    } else if (client.top - sequence >= window) {
      return Answer.TOO_OLD_TO_TELL;
    } else if (client.applied.get(bit(sequence))) {
      return Answer.APPLIED_BEFORE;
    }
    client.applied.set(bit(sequence));
    return Answer.NEW;
  }

  /** A client that speaks for the first time; null if a later one of its node has spoken. */
  private @Nullable Client enter(String name) {
    if (name.startsWith(AUTO)) {
      String node = node(name);
      long incarnation = incarnation(name);
      Long current = incarnations.get(node);
      if (current != null && current > incarnation) {
        return null;
      }
      if (current != null) {
        clients.remove(AUTO + node + "-" + current);
      }
      incarnations.put(node, incarnation);
    }
    Client client = new Client(window);
    clients.put(name, client);
    return client;
  }

  private static String node(String name) {
    return name.substring(AUTO.length(), name.lastIndexOf('-'));
  }

  /** The number at the end of the name of a process, or -1 if there is none. */
  private static long incarnation(String name) {
    int hyphen = name.lastIndexOf('-');
    String digits = name.substring(hyphen + 1);
    boolean sound = hyphen > AUTO.length() && !digits.isEmpty() && digits.length() <= MOST_DIGITS;
    for (int i = 0; i < digits.length(); i++) {
      sound &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    sound &= digits.length() == 1 || !digits.startsWith("0");
    // Nineteen digits may be more than fits; what overflows is negative.
    return sound ? Long.parseUnsignedLong(digits) : -1;
  }

  private void moveTo(Client client, long top) {
    if (top - client.top >= window) {
      client.applied.clear();
    } else {
      // By distance: a sequence behind the last one that there is does not exist.
      for (long ahead = top - client.top; ahead > 0; ahead--) {
        client.applied.clear(bit(client.top + ahead));
      }
    }
    client.top = top;
  }

  private int bit(long sequence) {
    return (int) (sequence % window);
  }

  /**
   * Forgets a client. If it ever speaks again under this name, it is taken for a new one, and what
   * it already sent would be applied again: close only names that are not used again. The same
   * holds for a node and all its earlier processes once its present one is closed. Closing one that
   * was superseded changes nothing.
   *
   * @return whether there was something to forget
   */
  public boolean close(String client) {
    if (clients.remove(client) == null) {
      return false;
    }
    if (client.startsWith(AUTO)) {
      incarnations.remove(node(client));
    }
    return true;
  }

  /** The whole memory, with version and checksum; equal for equal memories. */
  public byte[] toBytes() {
    int bitmapBytes = bitmapBytes(window);
    long size = HEAD_BYTES + CHECKSUM_BYTES;
    for (String name : clients.keySet()) {
      size += 1 + utf8(name).length + Long.BYTES + bitmapBytes;
    }
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size));
    out.put((byte) VERSION).putInt(window).putInt(clients.size());
    for (Map.Entry<String, Client> entry : clients.entrySet()) {
      byte[] name = utf8(entry.getKey());
      Client client = entry.getValue();
      out.put((byte) name.length).put(name).putLong(client.top).put(bitmap(client));
    }
    return out.putInt(checksum(out.array())).array();
  }

  /** Bit i of the map is for sequence top - i. */
  private byte[] bitmap(Client client) {
    byte[] map = new byte[bitmapBytes(window)];
    for (int i = 0; i < window && i < client.top; i++) {
      if (client.applied.get(bit(client.top - i))) {
        map[i / 8] |= (byte) (1 << i % 8);
      }
    }
    return map;
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws DamagedException if the bytes are anything else, naming offset and reason
   */
  public static SimpleDoor fromBytes(byte[] bytes) {
    check(bytes.length > 0, 0, "it is empty");
    check(bytes[0] == VERSION, 0, "version %d is unknown; this build knows 2", bytes[0] & 0xff);
    check(bytes.length >= HEAD_BYTES + CHECKSUM_BYTES, bytes.length, "it is cut off");
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int end = bytes.length - CHECKSUM_BYTES;
    check(in.getInt(end) == checksum(bytes), end, "the checksum is not that of the bytes");
    in.limit(end).position(1);
    int window = in.getInt();
    check(window >= 1 && window <= MAX_WINDOW, 1, "a window of %d", window);
    SimpleDoor door = new SimpleDoor(window);
    int count = in.getInt();
    for (int i = 0; i < count; i++) {
      door.readClient(in);
    }
    check(count >= 0 && in.position() == end, in.position(), "%d clients do not end here", count);
    return door;
  }

  private void readClient(ByteBuffer in) {
    int at = in.position();
    int nameBytes = in.hasRemaining() ? in.get() & 0xff : 0;
    check(nameBytes <= IdText.MAX_BYTES, at, "a client's name of %d bytes", nameBytes);
    byte[] map = new byte[bitmapBytes(window)];
    int needed = nameBytes + Long.BYTES + map.length;
    check(in.remaining() >= needed, in.position(), "%d more bytes are needed", needed);
    byte[] encoded = new byte[nameBytes];
    in.get(encoded);
    String name = new String(encoded, StandardCharsets.UTF_8);
    check(Arrays.equals(utf8(name), encoded), at, "a client's name is not UTF-8");
    check(
        clients.isEmpty() || clients.lastKey().compareTo(name) < 0,
        at,
        "clients are not in ascending order");
    if (name.startsWith(AUTO)) {
      check(incarnation(name) >= 0, at, "a process without an incarnation");
      Long twice = incarnations.put(node(name), incarnation(name));
      check(twice == null, at, "two processes of one node");
    }
    Client client = new Client(window);
    client.top = in.getLong();
    in.get(map);
    BitSet applied = BitSet.valueOf(map);
    check(
        applied.get(0) && applied.length() <= Math.min(window, client.top),
        at,
        "sequences that cannot have been applied");
    applied.stream().forEach(i -> client.applied.set(bit(client.top - i)));
    clients.put(name, client);
  }

  private static int bitmapBytes(int window) {
    return (window + 7) / 8;
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** Over everything but the last four bytes, where it stands itself. */
  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - CHECKSUM_BYTES);
    return (int) crc.getValue();
  }

  private static void check(boolean holds, int offset, String reason, Object... values) {
    if (!holds) {
      throw new DamagedException("simple door", offset, String.format(Locale.ROOT, reason, values));
    }
  }
}
