package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ViewsTest {
  private final Views views = new Views();

  @Test
  void oneStandsAtATime() throws Exception {
    assertThat(views.tryTake()).isTrue();
    assertThat(views.tryTake()).isFalse();
    CompletableFuture<Void> waiting = CompletableFuture.runAsync(views::take);
    views.leave();
    waiting.get(20, TimeUnit.SECONDS);
    assertThat(views.tryTake()).isFalse();
    views.leave();
    assertThat(views.tryTake()).isTrue();
  }

  @Test
  void snapshotWaitsForTheDigestThatWasLeftOutBefore() {
    views.snapshotAt(100);
    assertThat(views.tryTake()).isTrue();
    assertThat(views.tryTakeForTheLog()).isFalse();
    assertThat(views.leave()).as("left out").isTrue();
    assertThat(views.holdsSnapshotBack(150)).isTrue();
    assertThat(views.holdsSnapshotBack(199)).isTrue();
    assertThat(views.tryTakeForTheLog()).isTrue();
    assertThat(views.leave()).as("left out").isFalse();
    assertThat(views.holdsSnapshotBack(199)).isFalse();
  }

  @Test
  void snapshotWaitsNotForEver() {
    views.snapshotAt(100);
    assertThat(views.tryTake()).isTrue();
    assertThat(views.tryTakeForTheLog()).isFalse();
    views.leave();
    assertThat(views.holdsSnapshotBack(150)).isTrue();
    assertThat(views.holdsSnapshotBack(200)).isFalse();
    assertThat(views.holdsSnapshotBack(201)).isFalse();
  }

  @Test
  void viewOfASnapshotLeavesOnceWrittenOrNot() throws Exception {
    List<String> events = new ArrayList<>();
    Views.OfSnapshot written =
        new Views.OfSnapshot(
            out -> events.add("write"), () -> events.add("leave"), () -> events.add("written"));
    written.writeTo(OutputStream.nullOutputStream());
    written.close();
    assertThat(events).containsExactly("write", "leave", "written");
    events.clear();
    Views.OfSnapshot unwritten =
        new Views.OfSnapshot(
            out -> events.add("write"), () -> events.add("leave"), () -> events.add("written"));
    unwritten.close();
    assertThat(events).containsExactly("leave");
    assertThatThrownBy(() -> unwritten.writeTo(OutputStream.nullOutputStream()))
        .isInstanceOf(IllegalStateException.class);
  }
}
