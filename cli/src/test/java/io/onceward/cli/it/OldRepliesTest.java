package io.onceward.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Decision.Replied;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.cli.ServerProcess;
import io.onceward.replica.Request;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests from before a snapshot whose log entries are gone: their retries still get their old
 * replies, on every node, however it came by the snapshot (E3, execution 19). The methods are one
 * story, told in order on one cluster.
 */
@Tag("processes")
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OldRepliesTest {
  private static final int BULK_BYTES = 700 << 10;

  @TempDir private static Path folder;
  private static Cluster cluster;

  /** Requests from before every snapshot, and what they were told. */
  private static final Map<Request, Replied> OLD = new LinkedHashMap<>();

  private static int bulks;

  @BeforeAll
  static void startAndAsk() throws Exception {
    cluster = Cluster.start(folder, "--snapshot-every", "100");
    for (int i = 0; i < 5; i++) {
      remember(Commands.keyedAdd(Key.text("old-" + i), "keyed"));
    }
    Request.Address address = openSession();
    for (long sequence = 1; sequence <= 5; sequence++) {
      remember(inSession(address, sequence));
    }
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void remember(Request request) {
    Replied told = cluster.reply(request);
    assertThat(told.replay()).isFalse();
    OLD.put(request, told);
  }

  private static Request.Address openSession() throws Exception {
    Request.Open open = new Request.Open(ClientKind.REGISTERED, "", 1, 2, 0, 0, false, true, 0);
    Answer answer = cluster.ask(cluster.leader(), open);
    Answer.Decided told = (Answer.Decided) answer;
    Decision.Opened opened = (Decision.Opened) told.decision();
    return new Request.Address(told.clusterTag(), opened.session(), opened.incarnation());
  }

  /** A watermark of 1 keeps all replies of the session. */
  private static Request inSession(Request.Address address, long sequence) {
    Bytes command = ServiceDirectory.address(Commands.COUNTER, Commands.add("in session"));
    return new Request.InSession(address, sequence, 1, Fingerprint.ofPayload(command), command);
  }

  /** Every retry gets the very reply that was told first, and counts nothing twice. */
  private static void assertOldRepliesFrom(String leader) throws Exception {
    assertThat(cluster.leader()).isEqualTo(leader);
    for (Map.Entry<Request, Replied> old : OLD.entrySet()) {
      Replied first = old.getValue();
      Answer again = cluster.ask(leader, old.getKey());
      assertThat(((Answer.Decided) again).decision())
          .isEqualTo(new Replied(first.reply(), true, first.position(), first.timeMillis()));
    }
    assertThat(cluster.counter("keyed")).isEqualTo(5);
    assertThat(cluster.counter("in session")).isEqualTo(5);
  }

  /** Writes until the running nodes have dropped the beginning of their logs. */
  private static void fillUntilPurged(List<String> nodes) {
    Patience.until(
        "a log without its beginning on " + nodes,
        () -> {
          fill();
          for (String node : nodes) {
            if (!new LogFolder(cluster.data(node)).isPurged()) {
              return false;
            }
          }
          return true;
        });
  }

  /** The node never had the entries that are gone from the others. */
  private static void assertInstalled(String node) throws Exception {
    assertThat(cluster.status(node).snapshotPosition()).isPositive();
    assertThat(new LogFolder(cluster.data(node)).isPurged()).isTrue();
  }

  private static void fill() {
    for (int i = 0; i < 10; i++) {
      cluster.reply(Commands.bulk(Key.text("bulk-" + bulks++), BULK_BYTES));
    }
  }

  @Test
  @Order(1)
  void aFollowerThatWasAwayWhileTheLogWasPurgedInstallsASnapshot() throws Exception {
    String away = cluster.follower();
    try (Load load = Load.start(cluster)) {
      load.goOn(50);
      cluster.kill(away);
      fillUntilPurged(cluster.running());
      assertOldRepliesFrom(cluster.leader());
      cluster.startAndAwait(away);
      load.goOn(50);
      load.checkBooks();
    }
    assertInstalled(away);
    cluster.transferTo(away);
    assertOldRepliesFrom(away);
  }

  @Test
  @Order(2)
  void aWipedFollowerComesBackAsANewMember() throws Exception {
    String wiped = cluster.follower();
    cluster.wipe(wiped);
    cluster.agree();
    assertInstalled(wiped);
    cluster.transferTo(wiped);
    assertOldRepliesFrom(wiped);
  }

  @Test
  @Order(3)
  void aSnapshotIsTakenWhereItIsAskedForAndServesAfterARestartOfAll() throws Exception {
    for (String id : cluster.ids()) {
      Answer answer = cluster.ask(id, new Question.TakeSnapshot());
      assertThat(answer).isInstanceOf(Answer.Obeyed.class);
      assertThat(cluster.status(id).snapshotPosition()).isPositive();
    }
    cluster.ids().forEach(cluster::kill);
    cluster.startAll();
    assertOldRepliesFrom(cluster.leader());
    cluster.agree();
  }

  @Test
  @Order(4)
  void aDamagedSnapshotIsNeverServed() throws Exception {
    String node = cluster.follower();
    fillUntilPurged(List.of(node));
    cluster.kill(node);
    List<Path> snapshots = new LogFolder(cluster.data(node)).snapshots();
    assertThat(snapshots).hasSizeGreaterThanOrEqualTo(2);
    // One damaged: the other one and the log behind it tell the same.
    LogFolder.damage(snapshots.get(snapshots.size() - 1), 100);
    cluster.startAndAwait(node);
    cluster.agree();
    cluster.kill(node);
    // All damaged: it can know nothing, and says what to do.
    List<Path> all = new LogFolder(cluster.data(node)).snapshots();
    for (Path snapshot : all) {
      LogFolder.damage(snapshot, 200);
    }
    ServerProcess refusing = cluster.start(node);
    assertThat(Cluster.endOf(refusing)).isEqualTo(8);
    assertThat(Cluster.lastWords(refusing))
        .contains(all.get(0).toString(), "damaged", "Remove this member", "add it again");
    assertOldRepliesFrom(cluster.leader());
    cluster.wipe(node);
    cluster.agree();
    cluster.transferTo(node);
    assertOldRepliesFrom(node);
  }

  @Test
  @Order(5)
  void aDamagedLogIsNeverServed() throws Exception {
    String node = cluster.follower();
    fill();
    cluster.agree();
    cluster.kill(node);
    List<Path> log = new LogFolder(cluster.data(node)).log();
    LogFolder.damage(log.get(0), 2_000);
    ServerProcess refusing = cluster.start(node);
    assertThat(Cluster.endOf(refusing)).isEqualTo(8);
    assertThat(Cluster.lastWords(refusing))
        .contains(log.get(0).toString(), "the log is damaged", "Remove this member");
    assertOldRepliesFrom(cluster.leader());
    cluster.wipe(node);
    cluster.agree();
  }
}
