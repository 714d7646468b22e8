package io.onceward.torture.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.testkit.history.Finding;
import io.onceward.testkit.history.HistoryCheck;
import io.onceward.testkit.history.HistoryOptions;
import io.onceward.testkit.history.HistoryTimeline.Stretch;
import io.onceward.testkit.history.HistoryWriter;
import io.onceward.testkit.history.ServiceKind;
import io.onceward.torture.report.TorturedRun.Bar;
import io.onceward.torture.report.TorturedRun.Group;
import io.onceward.torture.report.TorturedRun.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  private static final String COMMAND = "./onceward torture --seconds 30 --seed 42";
  private static final String SCRIPT = "<script>alert('{{data}}')</script>";

  private static final List<Lane> LANES =
      List.of(new Lane("leader killed", Group.NODES, 2), new Lane("slow links", Group.NETWORK, 1));
  private static final List<Bar> BARS =
      List.of(
          new Bar("leader killed", "SIGKILL to b", 1_000, 2_500),
          new Bar("slow links", "a to <c> slower by 17 ms", 61_250, 63_000),
          new Bar("leader killed", "SIGKILL to c", 5_000, 5_100));

  @TempDir Path folder;
  private HistoryCheck check;
  private Traffic traffic;

  /** Small, but recorded and judged as a long one. */
  @BeforeEach
  void record() throws IOException {
    Path history = folder.resolve("client1.1.history");
    long begin = System.nanoTime();
    try (HistoryWriter writer = HistoryWriter.create(history)) {
      for (int i = 0; i < 20; i++) {
        long op = writer.invoked("client1", "opaque", "r" + i / 2, Bytes.utf8("do it"));
        writer.answered(op, Reply.ok("done"), i / 2 + 1, 1, i % 2 == 1);
      }
    }
    check =
        HistoryCheck.of(
            List.of(history), new HistoryOptions().service("opaque", ServiceKind.OPAQUE));
    traffic = Traffic.of(List.of(history), begin, System.nanoTime());
  }

  @Test
  void tellsVerdictCommandFaultsAndFindings() throws IOException {
    String page = new Page(run(check.findings(), List.of(), List.of())).html();
    assertThat(page)
        .contains("<h1>Nothing was violated</h1>", COMMAND, "abcdef012345", "3 namespaces")
        .contains("SIGKILL to b", "SIGKILL to c", "a to &lt;c&gt; slower by 17 ms", "1:01.2")
        .contains("leader killed", "slow links", "Linux 6.1", "Java 17", "2 cores")
        .contains("10 requests in 20 copies")
        .contains("This machine allows every kind of fault that was asked for")
        .doesNotContain("BROKEN", "VIOLATED");
    for (Finding finding : check.findings()) {
      assertThat(page).contains(finding.name(), Html.escaped(finding.promise()));
    }
  }

  @Test
  void aCheckThatLookedAtNothingDoesNotHold() throws IOException {
    Finding empty = new Finding("BooksBalance", "books balance", 0, "", 0, List.of());
    String page = new Page(run(List.of(empty), List.of(), List.of())).html();
    assertThat(page).contains("\">nothing to look at</span>", "0 of 1 checks hold");
  }

  @Test
  void tellsWhatIsBrokenAndWhatWasNotTested() throws IOException {
    Finding broken = new Finding("OneIdPerSerial", "one & only", 7, "", 3, List.of("r1 and r2"));
    String page =
        new Page(run(List.of(broken), List.of("node b ended by itself"), List.of("power cut")))
            .html();
    assertThat(page)
        .contains("<h1>VIOLATED</h1>", "✗ BROKEN", "r1 and r2", "and 2 more", "one &amp; only")
        .contains("node b ended by itself")
        .containsPattern("NOT tested, because this machine does not allow it:</b> power cut")
        .doesNotContain("Nothing was violated");
  }

  @Test
  void anythingThatARunSaysIsText() throws IOException {
    Finding broken = new Finding(SCRIPT, SCRIPT, 7, SCRIPT, 1, List.of(SCRIPT));
    TorturedRun run = run(List.of(broken), List.of(SCRIPT), List.of(SCRIPT));
    TorturedRun worst =
        new TorturedRun(
            run.began(),
            run.seed(),
            SCRIPT,
            30,
            SCRIPT,
            new Machine(1, SCRIPT, 1, SCRIPT, SCRIPT),
            SCRIPT,
            List.of(new Lane(SCRIPT, Group.CLIENTS, 1)),
            List.of(new Bar(SCRIPT, SCRIPT, 0, 1)),
            List.of(SCRIPT),
            List.of(SCRIPT),
            run.summary(),
            run.findings(),
            run.violations(),
            run.traffic());
    String page = new Page(worst).html();
    assertThat(page).contains("&lt;script&gt;alert").doesNotContain("<script>alert");
    assertThat(Pattern.compile("<script").matcher(page).results()).hasSize(3);
    assertThat(page).contains("\\u003cscript\\u003ealert('{{data}}')\\u003c/script\\u003e");
  }

  @Test
  void loadsNothing() throws IOException {
    List<String> parts =
        List.of(new Page(run(check.findings(), List.of(), List.of())).html().split("<script>", -1));
    // The library is between; it mentions addresses and elements, and loads none by itself.
    assertThat(parts).hasSize(3);
    assertThat(parts.get(1)).contains("Licensed to the Apache Software Foundation");
    assertThat(parts.get(0) + parts.get(2))
        .contains("default-src 'none'")
        .doesNotContain("http://", "https://")
        .doesNotContainPattern("(?i)<(link|img|iframe|object|embed|base)\\b")
        .doesNotContainPattern("(?i)(src|href|action)\\s*=\\s*[\"']?(https?:)?//")
        .doesNotContainPattern("(?i)url\\(\\s*[\"']?(https?:)?//")
        .doesNotContainPattern("@import");
  }

  @Test
  void aLongRunMakesNoLargePage() throws IOException {
    long stretch = Traffic.stretchMillis(10 * 60_000);
    List<Stretch> stretches =
        java.util.stream.LongStream.range(0, 10 * 60_000 / stretch)
            .mapToObj(i -> new Stretch(i, 2345, 1234, 345, 12, 456, 12_345, 123_456, 1_234_567))
            .toList();
    List<Bar> bars = java.util.Collections.nCopies(500, BARS.get(1));
    Page page =
        new Page(
            new TorturedRun(
                Instant.EPOCH,
                1,
                COMMAND,
                600,
                "",
                Machine.here(),
                "here",
                LANES,
                bars,
                List.of(),
                List.of(),
                check.summary(),
                check.findings(),
                List.of(),
                Traffic.trimmed(stretch, stretches)));
    Path file = folder.resolve("page.html");
    page.writeTo(file);
    assertThat(Files.size(file)).isLessThan(2_000_000);
  }

  @Test
  void quietTimeBeforeAndAfterIsLeftOut() {
    Stretch quiet = new Stretch(0, 0, 0, 0, 0, 0, -1, -1, -1);
    Stretch busy = new Stretch(0, 1, 0, 0, 0, 0, 5, 5, 5);
    assertThat(Traffic.trimmed(250, List.of(quiet, quiet, busy, quiet, busy, quiet)))
        .isEqualTo(new Traffic(500, 250, List.of(busy, quiet, busy)));
    assertThat(Traffic.trimmed(250, List.of(quiet)).stretches()).isEmpty();
  }

  private TorturedRun run(List<Finding> findings, List<String> violations, List<String> missing) {
    return new TorturedRun(
        Instant.parse("2026-01-02T03:04:05Z"),
        42,
        COMMAND,
        30,
        "abcdef012345",
        new Machine(2, "some processor", 4L << 30, "Linux 6.1", "Java 17"),
        "3 namespaces",
        LANES,
        BARS,
        missing,
        List.of(),
        check.summary(),
        findings,
        violations,
        traffic);
  }
}
