package io.onceward.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** What a flight recording says about where Java code ran and what it allocated. */
final class FlightSummary {
  private static final int MOST_METHODS = 25;
  private static final int MOST_OTHERS = 12;
  private static final double PERCENT = 100;

  /** The first of these that a method's class begins with is whose code it is. */
  private static final List<String> OWNERS =
      List.of(
          "io.onceward.client",
          "io.onceward.server.engine",
          "io.onceward.server",
          "io.onceward.wire",
          "io.onceward.replica",
          "io.onceward.benchmarks",
          "io.onceward",
          "org.apache.ratis.thirdparty.io.netty",
          "org.apache.ratis.thirdparty.io.grpc",
          "org.apache.ratis.thirdparty.com.google.protobuf",
          "org.apache.ratis.thirdparty",
          "org.apache.ratis",
          "io.grpc.netty.shaded.io.netty",
          "io.grpc",
          "java.util.concurrent",
          "java.",
          "sun.",
          "jdk.");

  private final Map<String, Double> methods = new TreeMap<>();
  private final Map<String, Double> packages = new TreeMap<>();
  private final Map<String, Double> ours = new TreeMap<>();
  private final Map<String, Double> threads = new TreeMap<>();
  private final Map<String, Double> nativeMethods = new TreeMap<>();
  private final Map<String, Double> allocatedClasses = new TreeMap<>();
  private final Map<String, Double> allocatingPlaces = new TreeMap<>();

  private FlightSummary() {}

  /** Reads what was recorded between two moments. */
  static FlightSummary read(Path file, Instant start, Instant end) throws IOException {
    FlightSummary summary = new FlightSummary();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getStartTime().isAfter(start) && event.getStartTime().isBefore(end)) {
          summary.take(event);
        }
      }
    }
    return summary;
  }

  private void take(RecordedEvent event) {
    RecordedStackTrace stack = event.getStackTrace();
    if (stack == null || stack.getFrames().isEmpty()) {
      return;
    }
    List<RecordedFrame> frames = stack.getFrames();
    switch (event.getEventType().getName()) {
      case "jdk.ExecutionSample" -> {
        count(methods, name(frames.get(0)), 1);
        count(packages, owner(frames.get(0)), 1);
        count(ours, firstOfOurs(frames), 1);
        count(threads, event.getThread("sampledThread").getJavaName(), 1);
      }
      case "jdk.NativeMethodSample" ->
          count(
              nativeMethods,
              name(frames.get(0)) + " in " + event.getThread("sampledThread").getJavaName(),
              1);
      case "jdk.ObjectAllocationSample" -> {
        double bytes = event.getLong("weight");
        count(allocatedClasses, event.getClass("objectClass").getName(), bytes);
        count(allocatingPlaces, firstOfOurs(frames), bytes);
      }
      default -> {}
    }
  }

  private static void count(Map<String, Double> counts, String name, double weight) {
    counts.merge(name, weight, Double::sum);
  }

  private static String name(RecordedFrame frame) {
    RecordedMethod method = frame.getMethod();
    return method.getType().getName() + "." + method.getName();
  }

  private static String owner(RecordedFrame frame) {
    String type = frame.getMethod().getType().getName();
    return OWNERS.stream().filter(type::startsWith).findFirst().orElse("others");
  }

  /** The method nearest to the top that belongs to Onceward, or else to Ratis. */
  private static String firstOfOurs(List<RecordedFrame> frames) {
    for (String prefix : List.of("io.onceward.", "org.apache.ratis.")) {
      for (RecordedFrame frame : frames) {
        String type = frame.getMethod().getType().getName();
        if (type.startsWith(prefix) && !type.startsWith("org.apache.ratis.thirdparty")) {
          return name(frame);
        }
      }
    }
    return "neither Onceward nor Ratis";
  }

  List<ProfileLine> lines(String load, String process) {
    List<ProfileLine> lines = new ArrayList<>();
    shares(lines, load, process, "java thread", threads, MOST_OTHERS);
    shares(lines, load, process, "package", packages, MOST_OTHERS);
    shares(lines, load, process, "method", methods, MOST_METHODS);
    shares(lines, load, process, "nearest of ours", ours, MOST_METHODS);
    shares(lines, load, process, "native method", nativeMethods, MOST_OTHERS);
    shares(lines, load, process, "allocated class", allocatedClasses, MOST_METHODS);
    shares(lines, load, process, "allocating place", allocatingPlaces, MOST_METHODS);
    return lines;
  }

  private static void shares(
      List<ProfileLine> lines,
      String load,
      String process,
      String by,
      Map<String, Double> counts,
      int most) {
    double all = counts.values().stream().mapToDouble(Double::doubleValue).sum();
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(most)
        .forEach(
            part ->
                lines.add(
                    new ProfileLine(
                        load, process, by, part.getKey(), PERCENT * part.getValue() / all, "%")));
  }
}
