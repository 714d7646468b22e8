package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.testkit.history.numbered.Numbered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that was recorded in a run: ops, and the requests of which they are copies. Numbers are in
 * columns; payloads stay in the files, since ten million ops have to fit into a small heap. An op
 * takes 42 bytes here and a request 37.
 */
final class History {
  /** Later than every event. */
  static final long NO_ANSWER = Long.MAX_VALUE;

  static final byte PENDING = 0;
  static final byte ANSWERED = 1;
  static final byte REFUSED = 2;
  static final byte UNKNOWN = 3;

  private static final Fate[] FATES = Fate.values();
  private static final Executed[] EXECUTED = Executed.values();

  private final List<HistoryFile> files = new ArrayList<>();
  private final int[] firstOpOfFile;
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();

  // ---- ops
  final int ops;
  private final long[] invokedAt;
  private final long[] endedAt;
  final long[] invokedNanos;
  final long[] endedNanos;
  final int[] requestOf;
  private final short[] clientOf;
  private final short[] serviceOf;
  private final byte[] kindOf;
  final byte[] resultOf;

  // ---- requests
  final int requests;

  /**
   * The first op of the request in the order of the files; an inquiry only if there are no others.
   */
  final int[] firstOp;

  /** The op that was answered first, or -1. */
  final int[] answeredOp;

  /** When its first copy was sent; it cannot have taken effect before. */
  final long[] firstInvoked;

  /** When somebody first knew that it had taken effect. */
  final long[] firstAnswered;

  final long[] position;
  private final byte[] fateOf;

  private History(List<HistoryFile> recorded) {
    files.addAll(recorded);
    firstOpOfFile = new int[files.size()];
    long count = 0;
    for (int i = 0; i < firstOpOfFile.length; i++) {
      firstOpOfFile[i] = (int) count;
      count += files.get(i).ops();
      if (count > Integer.MAX_VALUE - 16) {
        throw new IllegalArgumentException("a history has at most 2^31 ops");
      }
    }
    ops = (int) count;
    invokedAt = new long[ops];
    endedAt = new long[ops];
    invokedNanos = new long[ops];
    endedNanos = new long[ops];
    Arrays.fill(endedNanos, NO_ANSWER);
    requestOf = new int[ops];
    clientOf = new short[ops];
    serviceOf = new short[ops];
    kindOf = new byte[ops];
    resultOf = new byte[ops];
    RequestIndex index = new RequestIndex(ops);
    for (int file = 0; file < firstOpOfFile.length; file++) {
      read(file, index);
    }
    requests = index.size();
    firstOp = new int[requests];
    Arrays.fill(firstOp, -1);
    answeredOp = new int[requests];
    Arrays.fill(answeredOp, -1);
    firstInvoked = new long[requests];
    Arrays.fill(firstInvoked, Long.MIN_VALUE);
    firstAnswered = new long[requests];
    Arrays.fill(firstAnswered, NO_ANSWER);
    position = new long[requests];
    fateOf = new byte[requests];
    gatherRequests();
  }

  static History read(List<Path> paths) throws IOException {
    List<HistoryFile> files = new ArrayList<>();
    for (Path path : paths) {
      files.add(HistoryFile.open(path));
    }
    return new History(files);
  }

  private void read(int number, RequestIndex index) {
    HistoryFile file = files.get(number);
    int before = firstOpOfFile[number] - 1;
    file.forEach(
        (offset, body) -> {
          byte type = body.get(0);
          if (type == RecordLayout.INVOKED) {
            invoked(file, before, offset, body, index);
          } else if (type != RecordLayout.NAME) {
            ended(file, before, offset, body, index);
          }
        });
  }

  private void invoked(
      HistoryFile file, int before, long offset, ByteBuffer body, RequestIndex index) {
    int op = before + (int) body.getLong(RecordLayout.OP);
    invokedAt[op] = offset;
    invokedNanos[op] = body.getLong(RecordLayout.NANOS);
    clientOf[op] = number(file.name(body.getShort(RecordLayout.CLIENT)));
    serviceOf[op] = number(file.name(body.getShort(RecordLayout.SERVICE)));
    kindOf[op] = body.get(RecordLayout.KIND);
    int length = body.get(RecordLayout.ID_LENGTH) & 0xff;
    requestOf[op] =
        length == 0 ? index.fresh() : index.of(serviceOf[op], body, RecordLayout.ID, length);
  }

  private void ended(
      HistoryFile file, int before, long offset, ByteBuffer body, RequestIndex index) {
    int op = before + (int) body.getLong(RecordLayout.OP);
    byte type = body.get(0);
    if (type == RecordLayout.ANSWERED && resultOf[op] == ANSWERED) {
      throw new DamagedException("history " + file.path().getFileName(), offset, "a second answer");
    }
    boolean counts =
        type == RecordLayout.ANSWERED || resultOf[op] == PENDING || resultOf[op] == UNKNOWN;
    if (!counts) {
      return;
    }
    endedAt[op] = offset;
    endedNanos[op] = body.getLong(RecordLayout.NANOS);
    resultOf[op] =
        switch (type) {
          case RecordLayout.ANSWERED -> ANSWERED;
          case RecordLayout.REFUSED -> REFUSED;
          default -> UNKNOWN;
        };
    if (type == RecordLayout.REFUSED && body.get(RecordLayout.REFUSAL) == Refusal.MISMATCH.code()) {
      // It asks something else under an id that is taken, so it is no copy of that request.
      requestOf[op] = index.fresh();
    }
  }

  private short number(String name) {
    Integer known = numbers.get(name);
    if (known != null) {
      return (short) (int) known;
    }
    if (names.size() > Short.MAX_VALUE) {
      throw new IllegalArgumentException("a run has at most 32768 names of clients and services");
    }
    numbers.put(name, names.size());
    names.add(name);
    return (short) (names.size() - 1);
  }

  private void gatherRequests() {
    for (int op = 0; op < ops; op++) {
      int request = requestOf[op];
      if (firstOp[request] < 0 || kind(firstOp[request]) == OpKind.INQUIRY) {
        firstOp[request] = op;
      }
      if (kind(op) != OpKind.INQUIRY) {
        firstInvoked[request] =
            firstInvoked[request] == Long.MIN_VALUE
                ? invokedNanos[op]
                : Math.min(firstInvoked[request], invokedNanos[op]);
      }
      if (resultOf[op] == ANSWERED) {
        gatherAnswer(op, request);
      } else if (resultOf[op] == REFUSED) {
        gatherRefusal(op, request);
      }
    }
  }

  private void gatherAnswer(int op, int request) {
    if (answeredOp[request] < 0 || endedNanos[op] < endedNanos[answeredOp[request]]) {
      answeredOp[request] = op;
      position[request] = positionOf(op);
    }
    firstAnswered[request] = Math.min(firstAnswered[request], endedNanos[op]);
    boolean told =
        switch (replyKind(op)) {
          case OK, BUSINESS_ERROR -> true;
          case FAILED, REPLY_TOO_LARGE -> false;
        };
    fateOf[request] = (byte) (told ? Fate.ANSWERED : Fate.UNTOLD).ordinal();
  }

  private void gatherRefusal(int op, int request) {
    Executed executed = executed(op);
    if (executed == Executed.YES) {
      firstAnswered[request] = Math.min(firstAnswered[request], endedNanos[op]);
    }
    Fate fate = fate(request);
    if (executed == Executed.YES && (fate == Fate.UNRESOLVED || fate == Fate.NEVER)) {
      fateOf[request] = (byte) Fate.UNTOLD.ordinal();
    } else if (executed == Executed.NEVER && fate == Fate.UNRESOLVED) {
      fateOf[request] = (byte) Fate.NEVER.ordinal();
    }
  }

  Fate fate(int request) {
    return FATES[fateOf[request]];
  }

  List<HistoryFile> files() {
    return files;
  }

  /** The number of a service, or -1 if nobody asked it. */
  int serviceNumber(String name) {
    return numbers.getOrDefault(name, -1);
  }

  String serviceName(int op) {
    return names.get(serviceOf[op]);
  }

  int service(int op) {
    return serviceOf[op];
  }

  OpKind kind(int op) {
    return OpKind.ofCode(kindOf[op]);
  }

  /** Whether a copy of it was ever sent; if not, somebody merely asked about it. */
  boolean wasSent(int request) {
    return firstInvoked[request] != Long.MIN_VALUE;
  }

  boolean isQuery(int request) {
    return kindOf[firstOp[request]] == OpKind.QUERY.ordinal();
  }

  // ---- what is in the files

  private int fileOf(int op) {
    int found = Arrays.binarySearch(firstOpOfFile, op);
    int file = found >= 0 ? found : -found - 2;
    // Files without ops share their first op with the next one.
    while (file + 1 < firstOpOfFile.length && firstOpOfFile[file + 1] <= op) {
      file++;
    }
    return file;
  }

  private ByteBuffer invocation(int op) {
    return files.get(fileOf(op)).body(invokedAt[op]);
  }

  private ByteBuffer ending(int op) {
    return files.get(fileOf(op)).body(endedAt[op]);
  }

  /** What the op asks. */
  Bytes payload(int op) {
    ByteBuffer body = invocation(op);
    return rest(body, RecordLayout.ID + (body.get(RecordLayout.ID_LENGTH) & 0xff));
  }

  String id(int op) {
    ByteBuffer body = invocation(op);
    byte[] id = new byte[body.get(RecordLayout.ID_LENGTH) & 0xff];
    body.get(RecordLayout.ID, id);
    return new String(id, StandardCharsets.UTF_8);
  }

  Reply.Kind replyKind(int op) {
    return Reply.Kind.ofCode(ending(op).get(RecordLayout.REPLY_KIND));
  }

  Reply reply(int op) {
    ByteBuffer body = ending(op);
    boolean ordered = (body.get(RecordLayout.FLAGS) & RecordLayout.IN_ORDER) != 0;
    return new Reply(
        Reply.Kind.ofCode(body.get(RecordLayout.REPLY_KIND)),
        rest(body, ordered ? RecordLayout.AFTER_SEQUENCE : RecordLayout.AFTER_LOG_TIME));
  }

  /** The serial in front of a reply, or -1 if there is no room for one. */
  long serial(int op) {
    ByteBuffer body = ending(op);
    boolean ordered = (body.get(RecordLayout.FLAGS) & RecordLayout.IN_ORDER) != 0;
    int start = ordered ? RecordLayout.AFTER_SEQUENCE : RecordLayout.AFTER_LOG_TIME;
    return body.remaining() - start < Numbered.SERIAL_BYTES ? -1 : body.getLong(start);
  }

  long positionOf(int op) {
    return ending(op).getLong(RecordLayout.POSITION);
  }

  long logTime(int op) {
    return ending(op).getLong(RecordLayout.LOG_TIME);
  }

  boolean isReplay(int op) {
    return (ending(op).get(RecordLayout.FLAGS) & RecordLayout.REPLAY) != 0;
  }

  /** Whether the answer tells a place in an ordered session. */
  boolean isInOrder(int op) {
    return (ending(op).get(RecordLayout.FLAGS) & RecordLayout.IN_ORDER) != 0;
  }

  long clusterTag(int op) {
    return ending(op).getLong(RecordLayout.CLUSTER_TAG);
  }

  long session(int op) {
    return ending(op).getLong(RecordLayout.SESSION);
  }

  long sequence(int op) {
    return ending(op).getLong(RecordLayout.SEQUENCE);
  }

  Executed executed(int op) {
    return EXECUTED[ending(op).get(RecordLayout.EXECUTED)];
  }

  Refusal refusal(int op) {
    return Refusal.ofCode(ending(op).get(RecordLayout.REFUSAL));
  }

  private static Bytes rest(ByteBuffer body, int start) {
    byte[] bytes = new byte[body.remaining() - start];
    body.get(start, bytes);
    return Bytes.of(bytes);
  }

  // ---- for people

  /** An op as a violation tells it. */
  String describe(int op) {
    StringBuilder text = new StringBuilder();
    int file = fileOf(op);
    String id = id(op);
    text.append(kind(op)).append(id.isEmpty() ? " without id" : " " + id);
    text.append(" of ").append(names.get(clientOf[op]));
    text.append(" to ").append(names.get(serviceOf[op]));
    text.append(" (op ").append(op - firstOpOfFile[file] + 1);
    text.append(" in ").append(files.get(file).path().getFileName()).append(')');
    text.append(" invoked at ").append(seconds(invokedNanos[op]));
    if (resultOf[op] == ANSWERED) {
      text.append(isReplay(op) ? ", replayed at " : ", answered at ");
      text.append(seconds(endedNanos[op])).append(" from position ").append(positionOf(op));
      text.append(": ").append(replyKind(op)).append(' ').append(reply(op).bytes());
    } else if (resultOf[op] == REFUSED) {
      text.append(", refused at ").append(seconds(endedNanos[op])).append(": ");
      text.append(refusal(op)).append(", executed ").append(executed(op));
    } else {
      text.append(", outcome not known");
    }
    return text.toString();
  }

  /** A request as a violation tells it: by the op that was answered first. */
  String describeRequest(int request) {
    return describe(answeredOp[request] >= 0 ? answeredOp[request] : firstOp[request]);
  }

  private String seconds(long nanos) {
    long first = ops == 0 ? 0 : invokedNanos[0];
    return Math.floorDiv(nanos - first, 1_000_000L) / 1e3 + " s";
  }
}
