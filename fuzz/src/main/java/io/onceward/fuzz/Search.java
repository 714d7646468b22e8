package io.onceward.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lets Jazzer search one target, in a process of its own: it instruments the one it runs in. */
final class Search {
  private static final Pattern LINE =
      Pattern.compile("^#(\\d+)\\s+\\w+.*? cov: (\\d+)(?: .*?exec/s: (\\d+))?.*");
  private static final Pattern TOTAL =
      Pattern.compile("^stat::number_of_executed_units:\\s*(\\d+)");
  private static final Pattern RATE = Pattern.compile("^stat::average_exec_per_sec:\\s*(\\d+)");
  private static final Pattern WRITTEN = Pattern.compile(".*Test unit written to (\\S+).*");
  private static final Pattern EXCEPTION = Pattern.compile("^== Java Exception: (.*)");
  private static final int FOUND = 77;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * What came of it.
   *
   * @param perSecond executions per second of searching, without the start of the process
   * @param coverage edges of the code that some input reached
   * @param find the input that upset the target; null if none did
   * @param trouble what was wrong with it, or with the search itself; empty if nothing was
   */
  record Result(
      Target target,
      long executions,
      long perSecond,
      int coverage,
      double seconds,
      @Nullable Path find,
      String trouble) {
    boolean isClean() {
      return find == null && trouble.isEmpty();
    }
  }

  private final Target target;
  private final Path folder;
  private final StringBuilder said = new StringBuilder();
  private long executions;
  private long perSecond;
  private int coverage;
  private @Nullable Path find;
  private String exception = "";

  /**
   * @param folder where the corpus is kept from run to run, and finds are left
   */
  Search(Target target, Path folder) {
    this.target = target;
    this.folder = folder;
  }

  /**
   * Searches for a while.
   *
   * @param seed of libFuzzer's dice; 0 to leave it to chance
   */
  Result run(int seconds, int seed, Consumer<String> progress)
      throws IOException, InterruptedException {
    Path corpus = Files.createDirectories(folder.resolve("corpus").resolve(target.text()));
    for (Path known : target.seeds()) {
      Files.write(corpus.resolve(String.valueOf(known.getFileName())), Files.readAllBytes(known));
    }
    Path finds = Files.createDirectories(folder.resolve("finds"));
    long started = System.nanoTime();
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx1g",
                    "-XX:+UseSerialGC",
                    "-Xshare:off",
                    "-XX:+EnableDynamicAgentLoading",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "com.code_intelligence.jazzer.Jazzer",
                    "--target_class=" + target.type().getName(),
                    "--instrumentation_includes=io.onceward.**",
                    "--reproducer_path=" + finds.toAbsolutePath(),
                    "-artifact_prefix=" + finds.toAbsolutePath() + "/" + target.text() + "-",
                    "-max_total_time=" + seconds,
                    "-seed=" + seed,
                    "-print_final_stats=1",
                    "-rss_limit_mb=4096",
                    corpus.toAbsolutePath().toString()))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    Thread killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (take(line)) {
          progress.accept(executions + " executions, coverage " + coverage);
        }
      }
    } finally {
      Runtime.getRuntime().removeShutdownHook(killer);
    }
    return result(process.waitFor(), (System.nanoTime() - started) / NANOS_PER_SECOND);
  }

  /** Takes a line of libFuzzer; true if it tells progress. */
  boolean take(String line) {
    said.append(line).append('\n');
    Matcher progress = LINE.matcher(line);
    if (progress.matches()) {
      executions = Math.max(executions, Long.parseLong(progress.group(1)));
      coverage = Integer.parseInt(progress.group(2));
      return true;
    }
    Matcher total = TOTAL.matcher(line);
    Matcher rate = RATE.matcher(line);
    Matcher written = WRITTEN.matcher(line);
    Matcher thrown = EXCEPTION.matcher(line);
    if (total.matches()) {
      executions = Long.parseLong(total.group(1));
    } else if (rate.matches()) {
      perSecond = Long.parseLong(rate.group(1));
    } else if (written.matches()) {
      find = Path.of(written.group(1));
    } else if (thrown.matches()) {
      exception = thrown.group(1);
    }
    return false;
  }

  /** What it comes to, given the exit code. */
  Result result(int code, double seconds) {
    String trouble = "";
    if (find != null || code == FOUND) {
      trouble = exception.isEmpty() ? "see the output" : exception;
    } else if (code != 0 || executions == 0) {
      trouble = "Jazzer ended with exit code " + code + " and said:\n" + said;
    }
    return new Result(target, executions, perSecond, coverage, seconds, find, trouble);
  }
}
