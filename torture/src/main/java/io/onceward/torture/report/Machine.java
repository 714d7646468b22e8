package io.onceward.torture.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Where a run took place, without its name. */
public record Machine(int cores, String processor, long memoryBytes, String kernel, String java) {
  private static final Path PROCESSOR = Path.of("/proc/cpuinfo");

  /** The machine of this process. */
  public static Machine here() {
    long memory =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        processorHere(),
        memory,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + Runtime.version());
  }

  private static String processorHere() {
    try {
      return Files.readAllLines(PROCESSOR).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("");
    } catch (IOException notLinux) {
      return "";
    }
  }

  String words() {
    StringBuilder words = new StringBuilder();
    words.append(cores).append(cores == 1 ? " core" : " cores");
    if (!processor.isEmpty()) {
      words.append(" (").append(processor).append(')');
    }
    if (memoryBytes > 0) {
      words.append(String.format(Locale.ROOT, ", %.1f GiB of memory", memoryBytes / 0x1p30));
    }
    return words.toString();
  }
}
