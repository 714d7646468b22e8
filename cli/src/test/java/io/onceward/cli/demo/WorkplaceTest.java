package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkplaceTest {
  private final List<String> closed = new ArrayList<>();

  @Test
  void takesEverythingDownLastThingsFirstAndRemovesTheFolder() throws IOException {
    Workplace place = Workplace.create(false);
    Path folder = place.folder();
    Files.writeString(Files.createDirectory(folder.resolve("inner")).resolve("file"), "x");
    place.with(() -> closed.add("first"));
    place.with(
        () -> {
          closed.add("second");
          throw new IOException("stuck");
        });
    place.with(() -> closed.add("third"));

    place.close();
    place.close();

    assertThat(closed).containsExactly("third", "second", "first");
    assertThat(folder).doesNotExist();
  }

  @Test
  void whatIsKeptStays() throws IOException {
    Workplace place = Workplace.create(false);
    place.keep();

    place.close();

    assertThat(place.folder()).exists();
    Files.delete(place.folder());
  }

  @Test
  void whatComesAfterTheEndIsClosedAtOnce() throws IOException {
    Workplace place = Workplace.create(false);
    place.close();

    assertThatThrownBy(() -> place.with(() -> closed.add("late"))).isInstanceOf(IOException.class);

    assertThat(closed).containsExactly("late");
  }
}
