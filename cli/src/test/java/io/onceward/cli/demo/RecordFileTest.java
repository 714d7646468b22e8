package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordFileTest {
  private static final RequestId ID =
      new RequestId.OfKey(new Scope("tenant 7"), Key.text("order 4711"));

  private static final List<Line> LINES =
      List.of(
          new Line.Asked("c.1.1", 2, new Errand.Add("hits-1", 3)),
          new Line.Asked("c.1.2", 1, new Errand.Move("a", "b", 3)),
          new Line.Asked("c.1.3", 1, new Errand.Deposit("a", 3)),
          new Line.Told("c.1.1", ID, Reply.ok("\u0000\n\t"), true, 5, 6),
          new Line.Told("c.1.2", ID, Reply.businessError("insufficient funds"), false, 7, 8),
          new Line.Abandoned("c.1.3", ID),
          new Line.Complaint("all is lost"));

  @TempDir Path folder;

  private static List<Line> read(Path file) throws IOException {
    List<Line> lines = new ArrayList<>();
    RecordFile.read(file, lines::add);
    return lines;
  }

  private Path written() throws IOException {
    Path file = folder.resolve("record");
    try (RecordFile record = RecordFile.create(file)) {
      for (Line line : LINES) {
        record.write(line);
      }
    }
    return file;
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertThat(read(written())).isEqualTo(LINES);
  }

  @Test
  void aLineThatWasCutShortIsLeftOut() throws IOException {
    Path file = written();
    Files.writeString(file, "told\tc.1.4\tq:", StandardOpenOption.APPEND);

    assertThat(read(file)).isEqualTo(LINES);
  }

  @Test
  void aWholeLineThatIsGarbageIsAnError() throws IOException {
    Path file = written();
    Files.writeString(file, "nonsense\n", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("record: not a line of a client's record: nonsense");
  }

  @Test
  void anotherProcessCannotContinueARecord() throws IOException {
    Path file = written();

    assertThatThrownBy(() -> RecordFile.create(file)).isInstanceOf(IOException.class);
  }

  @Test
  void drawnErrandsArePrintedAndParsed() {
    Random dice = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      Errand errand = Errand.draw(dice);
      assertThat(Errand.parse(errand.print())).isEqualTo(errand);
      if (errand instanceof Errand.Move move) {
        assertThat(move.source()).isNotEqualTo(move.target());
      }
    }
  }
}
