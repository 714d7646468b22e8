package io.onceward.server.engine.ratis;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/**
 * Looks at every byte of the log before Ratis does (L4). Ratis takes an entry that runs past the
 * end of its file for one that was never finished, and drops it, even if a flipped bit in its
 * length made it run; and it refuses an entry that a crash cut off in the middle of a preallocated
 * file. So it would lose the one and stop for the other. Here the first is damage and the second is
 * normal.
 *
 * <p>It repairs what a crash may leave behind and Ratis would not: a last entry that was cut off,
 * and a file that was shortened but not yet renamed.
 */
final class LogInspection {
  private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");
  private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");

  /** A file of the log. The last index is known only once it is closed; -1 before. */
  private record Segment(Path file, long first, long last) {
    boolean open() {
      return last < 0;
    }
  }

  private long first = -1;
  private long last = -1;
  private long lastTerm;

  private LogInspection() {}

  /**
   * @param folder where Ratis keeps the files of a log
   * @param maxEntryBytes no entry of the log is larger, with what Ratis puts around it
   * @throws IOException if the log is damaged; the message names the file and the place
   */
  static LogInspection of(Path folder, int maxEntryBytes) throws IOException {
    LogInspection inspection = new LogInspection();
    List<Segment> segments = segments(folder);
    for (int i = 0; i < segments.size(); i++) {
      inspection.inspect(segments.get(i), i == segments.size() - 1, maxEntryBytes);
    }
    inspection.inspectConfiguration(folder.resolve("raft-meta.conf"));
    return inspection;
  }

  /** The index of the first entry; -1 if the log is empty. */
  long first() {
    return first;
  }

  /** The index of the last entry; -1 if the log is empty. */
  long last() {
    return last;
  }

  /** The term of the last entry; 0 if the log is empty. */
  long lastTerm() {
    return lastTerm;
  }

  private static List<Segment> segments(Path folder) throws IOException {
    List<Segment> segments = new ArrayList<>();
    for (Path file : Disk.list(folder)) {
      String name = String.valueOf(file.getFileName());
      Matcher closed = CLOSED.matcher(name);
      Matcher open = OPEN.matcher(name);
      if (closed.matches()) {
        segments.add(
            new Segment(file, Long.parseLong(closed.group(1)), Long.parseLong(closed.group(2))));
      } else if (open.matches()) {
        segments.add(new Segment(file, Long.parseLong(open.group(1)), -1));
      }
    }
    segments.sort((a, b) -> Long.compare(a.first, b.first));
    return segments;
  }

  private void inspect(Segment segment, boolean atTheEnd, int maxEntryBytes) throws IOException {
    if (last >= 0 && segment.first != last + 1) {
      throw damaged(
          segment.file, 0, "begins with entry " + segment.first + ", but " + last + " came before");
    }
    if (segment.open() && !atTheEnd) {
      throw damaged(segment.file, 0, "is still open, but another file follows");
    }
    long next = segment.first;
    try (LogFile file = LogFile.open(segment.file, maxEntryBytes)) {
      for (LogFile.Found found = file.next(); ; found = file.next()) {
        switch (found.kind()) {
          case ENTRY -> {
            LogEntryProto entry = found.entry();
            if (entry.getIndex() != next || entry.getTerm() < lastTerm) {
              throw damaged(
                  segment.file,
                  found.offset(),
                  "entry " + entry.getIndex() + " stands where entry " + next + " belongs");
            }
            lastTerm = entry.getTerm();
            next++;
          }
          case END -> {
            finish(segment, next - 1, atTheEnd);
            return;
          }
          case TORN -> {
            if (!segment.open()) {
              throw damaged(segment.file, found.offset(), "entry " + next + " is cut off");
            }
            shorten(segment.file, found.offset());
            finish(segment, next - 1, true);
            return;
          }
          case DAMAGED ->
              throw damaged(segment.file, found.offset(), "entry " + next + ": " + found.problem());
        }
      }
    }
  }

  private void finish(Segment segment, long end, boolean atTheEnd) throws IOException {
    if (!segment.open() && end != segment.last) {
      if (!atTheEnd || end > segment.last || end < segment.first) {
        throw damaged(
            segment.file, Files.size(segment.file), "ends with entry " + end + " too early");
      }
      // A crash came between the shortening of this file, as a new leader demanded, and its new
      // name.
      Path renamed = segment.file.resolveSibling("log_" + segment.first + "-" + end);
      Files.move(segment.file, renamed, StandardCopyOption.ATOMIC_MOVE);
    }
    if (end >= segment.first) {
      first = first < 0 ? segment.first : first;
      last = end;
    }
  }

  private static void shorten(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
      channel.force(true);
    }
  }

  /** Who the members are. Unreadable, Ratis would go by the settings of the first start again. */
  private void inspectConfiguration(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    boolean readable;
    try {
      readable = LogEntryProto.parseFrom(Files.readAllBytes(file)).hasConfigurationEntry();
    } catch (IOException unreadable) {
      readable = false;
    }
    if (!readable) {
      throw damaged(file, 0, "it does not say who the members are");
    }
  }

  private static IOException damaged(Path file, long offset, String how) {
    return new PlainException(
        "the log is damaged: "
            + file
            + " at byte "
            + offset
            + ": "
            + how
            + ". Nothing of it was used. Remove this member from the cluster, and add it again with"
            + " an empty folder",
        null);
  }
}
