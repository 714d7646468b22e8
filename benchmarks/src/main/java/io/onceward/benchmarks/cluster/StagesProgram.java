package io.onceward.benchmarks.cluster;

import io.onceward.server.TracedNode;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Member;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordingStream;

/**
 * What a traced server process does: it serves, and each time it is asked prints what passed since
 * it was last asked. It ends with its input.
 */
public final class StagesProgram {
  /** The command by which a child is told what it is. */
  public static final String COMMAND = "stages-server";

  static final String CLEAR = "clear";
  static final String TELL = "tell";
  static final String READY = "ready";
  static final String PASSED = "passed ";
  static final String SYNCED = "synced ";
  static final String END = "end";

  private static final int MOST_KEPT = 1 << 17;

  private final List<long[]> passed = new ArrayList<>();
  private final Histogram[] synced = {new Histogram()};

  private StagesProgram() {}

  /** Serves until the input ends: data folder, number of this member, all members. */
  public static void run(List<String> arguments, InputStream in, PrintStream out)
      throws IOException {
    List<Member> members = members(arguments.subList(2, arguments.size()));
    Member self = members.get(Integer.parseInt(arguments.get(1)));
    new StagesProgram().serve(Path.of(arguments.get(0)), self, members, in, out);
  }

  static List<String> print(List<Member> members) {
    return members.stream()
        .map(
            member ->
                String.join(
                    ",",
                    member.id(),
                    member.host(),
                    Integer.toString(member.clientPort()),
                    Integer.toString(member.peerPort())))
        .toList();
  }

  private static List<Member> members(List<String> printed) {
    List<Member> members = new ArrayList<>();
    for (String member : printed) {
      String[] parts = member.split(",", -1);
      members.add(
          new Member(parts[0], parts[1], Integer.parseInt(parts[2]), Integer.parseInt(parts[3])));
    }
    return members;
  }

  private void serve(
      Path folder, Member self, List<Member> members, InputStream in, PrintStream out)
      throws IOException {
    ServiceDirectory services =
        ServiceDirectory.shipped().with(CountingService.NAME, new CountingService());
    try (RecordingStream recording = new RecordingStream();
        TracedNode node = TracedNode.start(folder, self, members, services, this::passed);
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      node.awaitReady();
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO).withoutStackTrace();
      recording.onEvent("jdk.FileForce", event -> synced(event.getDuration().toNanos()));
      recording.startAsync();
      out.println(READY);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        if (order.equals(CLEAR)) {
          clear();
        } else {
          tell(out);
        }
      }
    }
  }

  private synchronized void passed(long submitted, long applied, long answered) {
    if (passed.size() < MOST_KEPT) {
      passed.add(new long[] {submitted, applied, answered});
    }
  }

  private synchronized void synced(long nanos) {
    synced[0].add(nanos);
  }

  private synchronized void clear() {
    passed.clear();
    synced[0] = new Histogram();
  }

  private synchronized void tell(PrintStream out) {
    for (long[] times : passed) {
      out.println(PASSED + times[0] + " " + times[1] + " " + times[2]);
    }
    out.println(SYNCED + synced[0].print());
    out.println(END);
  }
}
