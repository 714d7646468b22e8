package io.onceward.client.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Reply;
import io.onceward.client.session.JournalRecord;
import io.onceward.client.session.JournalState;
import io.onceward.replica.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal over a long time: it stays short, keeps its meaning and has one name. */
class JournalUpkeepTest {
  private static final Request.Address ADDRESS = new Request.Address(1, 2, 3);

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void choosePath() {
    path = folder.resolve("x.journal");
  }

  private JournalFile open() throws IOException {
    return JournalFile.open(path, "x", Runnable::run);
  }

  private static JournalRecord asked(long sequence) {
    return new JournalRecord.Asked(
        sequence, "t" + sequence, new Fingerprint(sequence), Bytes.utf8("command " + sequence));
  }

  private static JournalRecord decided(long sequence) {
    return new JournalRecord.Decided(
        sequence, new Decision.Replied(Reply.ok("reply " + sequence), true, 5, 6));
  }

  @Test
  void theFileStaysShortOverManyProcesses_C5() throws IOException {
    Bytes command = Bytes.of(new byte[1_000]);
    for (int process = 0; process < 100; process++) {
      try (JournalFile journal = open()) {
        long next = journal.recovered().nextSequence();
        journal.append(new JournalRecord.Opened(ADDRESS, next));
        for (long i = next; i < next + 50; i++) {
          journal.append(new JournalRecord.Asked(i, "t" + i, null, command));
          journal.append(decided(i));
          journal.append(new JournalRecord.Taken("t" + i));
        }
        journal.sync();
      }
    }
    assertThat(Files.size(path)).isLessThan(400 << 10);
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().nextSequence()).isEqualTo(5_001);
    }
  }

  @Test
  void rewrittenJournalStillKnowsWhatATagAsked_E7() throws IOException {
    try (JournalFile journal = open()) {
      journal.append(new JournalRecord.Opened(ADDRESS, 1));
      journal.append(asked(1));
      journal.append(decided(1));
      journal.append(new JournalRecord.Over());
      journal.append(new JournalRecord.Opened(new Request.Address(1, 2, 4), 1));
      for (int i = 1; i <= 300; i++) {
        journal.append(new JournalRecord.Asked(i, "young" + i, null, Bytes.of(new byte[1_000])));
        journal.append(decided(i));
        journal.append(new JournalRecord.Taken("young" + i));
      }
      journal.sync();
      assertThat(Files.size(path)).as("it was rewritten").isLessThan(1_000);
    }
    try (JournalFile journal = open()) {
      JournalState.Entry left = journal.recovered().entry("t1");
      assertThat(left).isNotNull();
      assertThat(left.left()).isEqualTo(ADDRESS);
      assertThat(left.fingerprint()).isEqualTo(new Fingerprint(1));
    }
  }

  @Test
  void journalWithTwoNamesIsRefused_C5() throws IOException {
    open().close();
    Path other = Files.createLink(folder.resolve("other"), path);
    for (Path name : List.of(path, other)) {
      assertThatThrownBy(() -> JournalFile.open(name, "x", Runnable::run))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("hard link");
    }
    Files.delete(other);
    open().close();
  }

  @Test
  void theFileStaysShortWhileRepliesAreTaken() throws IOException {
    try (JournalFile journal = open()) {
      journal.append(new JournalRecord.Opened(ADDRESS, 1));
      for (int i = 1; i <= 20_000; i++) {
        journal.append(asked(i));
        journal.append(decided(i));
        journal.append(new JournalRecord.Taken("t" + i));
        if (i % 50 == 0) {
          journal.sync();
        }
      }
      journal.append(asked(20_001));
      journal.sync();
      assertThat(Files.size(path)).isLessThan(600 << 10);
    }
    try (JournalFile journal = open()) {
      assertThat(journal.recovered().nextSequence()).isEqualTo(20_002);
      assertThat(journal.recovered().entries()).hasSize(1);
    }
  }
}
