package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Decision.Replied;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Difference;
import io.onceward.wire.Member;
import io.onceward.wire.Question;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three real nodes, one of which becomes another one than the others (E8, T1). */
@Timeout(120)
class DifferingNodeTest {
  @TempDir Path folder;
  private final Map<String, OncewardServer> servers = new TreeMap<>();
  private final Map<String, Forgetful> services = new TreeMap<>();
  private List<Member> members = List.of();

  /** Forgets what it was given while it is told to, and answers as if it had not. */
  private static final class Forgetful implements Service {
    private final AddingService adding = new AddingService();
    volatile boolean forgets;

    @Override
    public Reply execute(Command command) {
      return forgets ? Reply.ok("5") : adding.execute(command);
    }

    @Override
    public Frozen freeze() {
      return adding.freeze();
    }

    @Override
    public void restore(InputStream in) throws IOException {
      adding.restore(in);
    }
  }

  @BeforeEach
  void chooseMembers() throws IOException {
    members = FreePorts.members(3, i -> "n" + i);
  }

  @AfterEach
  void close() throws IOException {
    for (OncewardServer server : servers.values()) {
      server.close();
    }
  }

  private OncewardServer start(Member member, ServerSettings.Quarantined... quarantined)
      throws IOException {
    Forgetful service = new Forgetful();
    OncewardServer server =
        OncewardServer.start(
            ServerSettings.of(folder.resolve(member.id()), member, members)
                .withQuarantined(List.of(quarantined)),
            service);
    servers.put(member.id(), server);
    services.put(member.id(), service);
    return server;
  }

  private void stop(Member member) throws IOException {
    OncewardServer server = servers.remove(member.id());
    if (server != null) {
      server.close();
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  private Member leader() {
    while (true) {
      for (Member member : members) {
        OncewardServer server = servers.get(member.id());
        if (server != null
            && !server.failure().isDone()
            && server.status().role().equals("leader")) {
          return member;
        }
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private Member follower() {
    Member leader = leader();
    return members.get(members.get(0).equals(leader) ? 1 : 0);
  }

  private static Request keyed(String key) {
    return new Request.Keyed(Scope.NONE, Key.text(key), null, List.of(), Bytes.utf8("5"));
  }

  private Replied replied(Request request) throws IOException {
    while (true) {
      try (RawClient client = new RawClient(leader().clientPort())) {
        if (client.log(request) instanceof Answer.Decided decided
            && decided.decision() instanceof Replied replied) {
          return replied;
        }
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private void snapshotOfTheLeader() throws IOException {
    snapshotOf(leader());
  }

  private static void snapshotOf(Member member) throws IOException {
    try (RawClient client = new RawClient(member.clientPort())) {
      assertThat(client.ask(new Question.TakeSnapshot())).isInstanceOf(Answer.Obeyed.class);
    }
  }

  private void awaitPosition(OncewardServer server, long position) {
    await(() -> server.status().position() >= position);
  }

  @Test
  void nodeWhoseServiceDiffersShowsAnAlarm() throws IOException {
    for (Member member : members) {
      start(member);
    }
    replied(keyed("same"));
    Member odd = follower();
    OncewardServer server = servers.get(odd.id());
    assertThat(server).isNotNull();
    // Each node is where the others are before the odd one begins to be odd.
    awaitPosition(server, servers.get(leader().id()).status().position());
    services.get(odd.id()).forgets = true;
    replied(keyed("other"));

    snapshotOfTheLeader();
    await(() -> server.status().difference() != null);
    Difference found = server.status().difference();
    assertThat(found).isNotNull();
    assertThat(found.own()).hasSize(64).isNotEqualTo(found.leaders());
    for (Member member : members) {
      if (!member.equals(odd)) {
        assertThat(servers.get(member.id()).status().difference()).isNull();
      }
    }

    snapshotOf(odd);
    stop(odd);
    assertThat(start(odd).status().difference()).as("after a restart").isEqualTo(found);
  }

  /** It restarts with a quarantine that nobody else has, and so does its replica. */
  @Test
  void nodeThatAloneObeyedAQuarantineStops() throws IOException {
    for (Member member : members) {
      start(member);
    }
    Replied executed = replied(keyed("k"));
    Member odd = follower();
    stop(odd);
    OncewardServer server = start(odd, new ServerSettings.Quarantined(executed.position(), 0));
    awaitPosition(server, executed.position());
    assertThat(server.failure()).isNotDone();

    snapshotOfTheLeader();
    OncewardServer.Failure failure = RawClient.await(server.failure());
    assertThat(failure.what())
        .contains("it answered request " + executed.position() + "/0 as FAILED")
        .contains("Start this node without --quarantine " + executed.position() + "/0")
        .contains("empty its data folder, and add it again with --join");
    stop(odd);

    OncewardServer again = start(odd);
    awaitPosition(again, servers.get(leader().id()).status().position());
    assertThat(again.failure()).isNotDone();
  }

  @Test
  void nodeThatExecutedWhatTheOthersQuarantinedStops() throws IOException {
    for (Member member : members) {
      start(member);
    }
    Replied executed = replied(keyed("k"));
    ServerSettings.Quarantined place = new ServerSettings.Quarantined(executed.position(), 0);
    for (Member member : members) {
      stop(member);
    }
    start(members.get(0), place);
    start(members.get(1), place);
    assertThat(replied(keyed("k")).reply()).isEqualTo(Reply.FAILED);

    OncewardServer odd = start(members.get(2));
    OncewardServer.Failure failure = RawClient.await(odd.failure());
    assertThat(failure.what())
        .contains("it executed request " + executed.position() + "/0")
        .contains("Start this node with --quarantine " + executed.position() + "/0");
    stop(members.get(2));

    OncewardServer again = start(members.get(2), place);
    awaitPosition(again, replied(keyed("l")).position());
    assertThat(again.failure()).isNotDone();
    assertThat(again.status().difference()).isNull();
  }
}
