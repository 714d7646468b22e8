package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.server.engine.EngineSettings;
import io.onceward.wire.Member;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VotesTest {
  @TempDir Path root;

  private final Failure failure = new Failure();

  private Votes votes() {
    Member self = new Member("n1", "127.0.0.1", 1, 2);
    return new Votes(EngineSettings.of(root, self, List.of(self)), failure);
  }

  private Path folder() {
    return root.resolve(Peers.GROUP.getUuid().toString()).resolve("current");
  }

  /** Ratis interrupts its candidates whenever an election is over. */
  @Test
  void interruptedCandidateIsNoFailureOfTheDisk() throws Exception {
    Files.createDirectories(folder());
    Votes votes = votes();
    Thread.currentThread().interrupt();
    assertThatThrownBy(votes::sync).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    votes.sync();
    assertThat(failure.happened()).isFalse();
  }

  @Test
  void voteThatCannotBeSyncedStopsTheNode() {
    assertThatThrownBy(votes()::sync).isInstanceOf(IOException.class);
    assertThat(failure.happened()).isTrue();
    assertThat(failure.first().what()).contains("a vote could not be synced");
  }
}
