package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.cli.demo.Figures.ClientView;
import io.onceward.cli.demo.Figures.Condition;
import io.onceward.cli.demo.Figures.Event;
import io.onceward.cli.demo.Figures.NodeView;
import io.onceward.cli.demo.Figures.Phase;
import io.onceward.cli.demo.Figures.Second;
import io.onceward.cli.demo.Figures.Tone;
import io.onceward.cli.demo.Figures.Troubles;
import io.onceward.cli.demo.Figures.Work;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PanelTest {
  private static final Look ASCII = new Look(false, false);
  private static final Look RICH = new Look(true, true);
  private static final String ESCAPE = "\u001b";

  static Figures figures() {
    List<Second> history = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      history.add(new Second(i % 10 * 450L, i == 7 ? 'K' : ' '));
    }
    return new Figures(
        Phase.WORKING,
        4711,
        30_000,
        60_000,
        new Work(120_345, 1_000, 77, 1_234, 64),
        4_050,
        2_100,
        31_000,
        "node2",
        5,
        new Troubles(3, 2, 4, 1, 6),
        List.of(
            new NodeView("node1", Condition.UP, "follower", 10_234, 4, Gate.Stance.OPEN),
            new NodeView("node2", Condition.UP, "leader", 10_240, 4, Gate.Stance.STALLING),
            new NodeView("node3", Condition.KILLED, "", 0, 0, Gate.Stance.OPEN)),
        List.of(
            new ClientView("client1", "registered", Condition.UP, 60_000, 32, 0),
            new ClientView("client3", "durable", Condition.KILLED, 60_345, 32, 2)),
        history,
        "working",
        "SIGKILL to node3, a follower",
        List.of(
            new Event(7_000, Tone.NEWS, "node2 leads now, term 5"),
            new Event(29_000, Tone.TROUBLE, "SIGKILL to node3, a follower")));
  }

  private static List<String> panel(Look look, int rows, int columns) {
    return new Panel(look, rows, columns)
        .lines(figures()).stream().map(line -> line.print(columns, false)).toList();
  }

  @Test
  void showsWhatIsGoingOn() {
    String panel = String.join("\n", panel(ASCII, 40, 100));

    assertThat(panel)
        .contains("seed 4711", "0:30 of 1:00", "120,345", "4,050/s", "p50 2.1 ms", "p99 31 ms")
        .contains("1,234", "replays 77", "3 kills", "2 pauses", "4 cuts", "6 leader changes")
        .contains("> leader, term 5", "nothing passes", "x killed", "killed twice")
        .contains("now  SIGKILL to node3, a follower")
        .contains("0:07  node2 leads now, term 5");
  }

  @Test
  void fitsIntoAnyTerminal() {
    for (int rows = 1; rows < 60; rows++) {
      for (int columns : new int[] {1, 20, 60, 80, 200}) {
        List<String> lines = panel(RICH, rows, columns);
        assertThat(lines.size()).isLessThanOrEqualTo(rows);
        assertThat(lines).allMatch(line -> line.length() <= columns);
      }
    }
  }

  @Test
  void anOrdinaryTerminalShowsWhatHappensNow() {
    assertThat(panel(RICH, 23, 80)).anyMatch(line -> line.contains("now  SIGKILL to node3"));
  }

  @Test
  void chartMarksTheSecondOfAFault() {
    List<String> lines =
        new Chart(ASCII, 2, 80)
            .lines(figures().history()).stream().map(line -> line.print(200, false)).toList();

    assertThat(lines).hasSize(3);
    assertThat(lines.get(2).indexOf('K')).isEqualTo(Chart.AXIS + 7);
    assertThat(lines.get(0)).startsWith("   4,050/s  ");
  }

  @Test
  void chartShowsTheLatestSecondsIfThereIsNoRoomForAll() {
    List<InkedLine> lines = new Chart(ASCII, 1, 5).lines(figures().history());

    assertThat(lines.get(0).width()).isEqualTo(Chart.AXIS + 5);
  }

  @Test
  void noColourMeansNoColour() {
    assertThat(Look.of(Map.of("NO_COLOR", "1", "LANG", "en_US.UTF-8")))
        .isEqualTo(new Look(false, true));
    assertThat(Look.of(Map.of("LC_ALL", "C", "LANG", "en_US.UTF-8")))
        .isEqualTo(new Look(true, false));
    assertThat(printed(new Look(false, true))).doesNotContain(ESCAPE + "[3", ESCAPE + "[1;");
    assertThat(printed(RICH)).contains(ESCAPE + "[1;");
  }

  private static String printed(Look look) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Screen screen =
        new Screen(new PrintStream(bytes, true, StandardCharsets.UTF_8), look, new TerminalSize());
    screen.show(figures());
    screen.show(figures());
    screen.close();
    screen.show(figures());
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void screenDrawsInPlaceAndGivesTheCursorBack() {
    String printed = printed(new Look(false, false));
    long lines = printed.chars().filter(c -> c == '\n').count() / 2;

    assertThat(printed).contains("\r" + ESCAPE + "[" + lines + "A");
    assertThat(printed).endsWith(ESCAPE + "[?25h");
  }

  @Test
  void plainLinesHaveNoControlCharacters() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PlainLines plain = new PlainLines(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    plain.show(figures());
    plain.second(figures());
    plain.happened(figures().events().get(1));
    plain.conclude(ConclusionTextTest.conclusion(List.of()));

    String printed = bytes.toString(StandardCharsets.UTF_8);

    assertThat(printed).doesNotContain(ESCAPE, "\r");
    assertThat(printed.lines().toList().get(0)).startsWith("0:30  4,050/s, 120,345 decided");
    assertThat(printed.lines().toList().get(1)).isEqualTo("0:29  SIGKILL to node3, a follower");
  }

  @Test
  void jsonIsOneObjectPerLine() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonLines json = new JsonLines(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    json.second(figures());
    json.happened(new Event(1, Tone.NEWS, "a \"quote\" and a \t tab"));
    json.conclude(ConclusionTextTest.conclusion(List.of("hits-1 is 12")));

    List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();

    assertThat(lines).allMatch(line -> line.startsWith("{\"is\":\"") && line.endsWith("}"));
    assertThat(lines.get(0)).contains("\"decided\":120345", "\"leader\":\"node2\"");
    assertThat(lines.get(1)).contains("a \\\"quote\\\" and a \\u0009 tab");
    assertThat(lines.get(2)).contains("\"holds\":false", "\"objections\":[\"hits-1 is 12\"]");
    assertThat(lines.get(3)).contains("\"is\":\"conclusion\"", "\"holds\":false");
  }
}
