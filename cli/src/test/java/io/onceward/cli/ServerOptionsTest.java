package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.ClusterId;
import io.onceward.replica.LogPlace;
import io.onceward.server.ServerSettings;
import io.onceward.server.ServerSettings.Quarantined;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerOptionsTest {
  private static final Member A = new Member("a", "10.0.0.5", 7400, 7401);
  private static final Member B = new Member("b", "10.0.0.6", 7400, 9000);

  @TempDir private Path folder;

  private final ServerOptions options = new ServerOptions();

  @Test
  void withoutOptionsTheNodeIsAloneOnLoopback() {
    assertThat(options.settings())
        .isEqualTo(ServerSettings.alone(Path.of("onceward-data"), 7400, 7401));
  }

  @Test
  void aNodeThatIsAloneCanBeElsewhere() {
    options.node = "x";
    options.listen = "10.0.0.5:8000/9000";
    assertThat(options.settings().self()).isEqualTo(new Member("x", "10.0.0.5", 8000, 9000));
  }

  @Test
  void aNodeCanListenElsewhereThanItIsReached() {
    options.listen = "10.0.0.5:8000/9000";
    assertThat(options.settings().bindHost()).isEqualTo("10.0.0.5");
    options.bind = "0.0.0.0";
    assertThat(options.settings().bindHost()).isEqualTo("0.0.0.0");
    assertThat(options.settings().self().host()).isEqualTo("10.0.0.5");
  }

  @Test
  void aMemberFindsItselfAmongTheMembers() {
    options.node = "b";
    options.members = List.of(A, B);
    assertThat(options.settings().self()).isEqualTo(B);
    assertThat(options.settings().members()).containsExactly(A, B);
  }

  @Test
  void aNodeThatJoinsHasNoMembersYet() {
    options.node = "c";
    options.listen = "10.0.0.7:7400";
    options.join = true;
    ServerSettings settings = options.settings();
    assertThat(settings.join()).isTrue();
    assertThat(settings.members()).isEmpty();
    assertThat(settings.self().id()).isEqualTo("c");
  }

  @Test
  void contradictionsAreExplained() {
    options.members = List.of(A, B);
    assertRefused("say with --node which of the members this is: a, b");
    options.node = "z";
    assertRefused("node z is not among the members a, b");
    options.node = "a";
    options.listen = "10.0.0.5:7400";
    assertRefused("--listen is for a node that is alone or joins");
    options.join = true;
    assertRefused("--join and --member exclude each other");
    options.listen = null;
    assertRefused("--join needs --node and --listen");
  }

  @Test
  void membersMustNotShareAnIdOrAnAddress() {
    options.node = "a";
    options.members = List.of(A, new Member("a", "10.0.0.9", 1, 2));
    assertRefused("member a is named twice");
    options.members = List.of(A, new Member("b", "10.0.0.5", 7401, 7402));
    assertRefused("members a and b both want 10.0.0.5:7401");
  }

  @Test
  void theFileSaysWhatTheCommandLineLeavesOpen() throws IOException {
    options.config =
        write(
            """
            node = b
            data = from-file
            member.a = 10.0.0.5:7400
            member.b = 10.0.0.6:7400/9000
            service.ledger = io.onceward.examples.ledger.Ledger
            quarantine = 17/3, 18/0@000000000000000100000000000000ff
            snapshot-every = 1000
            election-millis = 200-500
            """);
    options.data = Path.of("from-command-line");
    ServerSettings settings = options.settings();
    assertThat(settings.self()).isEqualTo(B);
    assertThat(settings.members()).containsExactly(A, B);
    assertThat(settings.folder()).isEqualTo(Path.of("from-command-line"));
    assertThat(settings.quarantined())
        .containsExactly(
            new Quarantined(17, 3), new Quarantined(new LogPlace(18, 0), new ClusterId(1, 255)));
    assertThat(settings.snapshotEveryEntries()).isEqualTo(1000);
    assertThat(settings.entriesKeptBehindSnapshot()).isEqualTo(200);
    assertThat(settings.electionLeastMillis()).isEqualTo(200);
    assertThat(settings.electionMostMillis()).isEqualTo(500);
    assertThat(options.services).containsEntry("ledger", "io.onceward.examples.ledger.Ledger");
  }

  @Test
  void aWrongFileIsRefusedWithWhatIsAllowed() throws IOException {
    options.config = write("nod = a");
    assertRefused("there is no \"nod\"; allowed are node, listen, bind, data");
    options.config = write("join = yes");
    assertRefused("join is true or false, not \"yes\"");
    options.config = write("snapshot-every = often");
    assertRefused("snapshot-every is a whole number, not \"often\"");
    for (String place : List.of("5", "5/", "5/0@", "5/0@12", "5@12/0", "5/-1", "0/0")) {
      options.config = write("quarantine = " + place);
      assertRefused("POSITION/ORDINAL@CLUSTER");
    }
    options.config = write("election-millis = 300-150");
    assertRefused("150-300");
    options.config = folder.resolve("none");
    assertRefused("there is no file");
  }

  @Test
  void snapshotsAreTakenNowAndThen() {
    options.snapshotEvery = 0L;
    assertRefused("--snapshot-every is at least 1, not 0");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("node.properties"), text);
  }

  private void assertRefused(String message) {
    assertThatThrownBy(options::settings)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
