package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Command;
import io.onceward.Decision;
import io.onceward.Decision.Opened;
import io.onceward.Decision.Replied;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One real node: disk, log, sockets; a client that is only a socket. */
class OncewardServerTest {
  @TempDir Path folder;

  private final int port = freePort();
  private final int peerPort = freePort();
  private OncewardServer server;
  private RawClient client;

  private static int freePort() {
    try {
      return FreePorts.one();
    } catch (IOException problem) {
      throw new IllegalStateException(problem);
    }
  }

  private ServerSettings settings() {
    return ServerSettings.alone(folder, port, peerPort);
  }

  private void start(ServerSettings settings) throws IOException {
    server = OncewardServer.start(settings, new AddingService());
    RawClient.await(server.ready());
    client = new RawClient(server.clientPort());
  }

  @AfterEach
  void stop() throws IOException {
    if (client != null) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private void restart() throws IOException {
    stop();
    start(settings());
  }

  private static Request keyed(String key, String command) {
    return new Request.Keyed(Scope.NONE, Key.text(key), null, List.of(), Bytes.utf8(command));
  }

  private Replied replied(Request request) {
    return (Replied) ((Answer.Decided) client.log(request)).decision();
  }

  @Test
  void aRequestExecutesOnceAndItsRetryReplaysAlsoAfterARestart() throws IOException {
    start(settings());
    Replied first = replied(keyed("k", "5"));
    assertThat(first.reply()).isEqualTo(Reply.ok("5"));
    assertThat(first.replay()).isFalse();
    Replied error = replied(keyed("e", ""));
    assertThat(error.reply()).isEqualTo(Reply.businessError("nothing to add"));

    restart();

    Replied retry = replied(keyed("k", "5"));
    assertThat(retry)
        .isEqualTo(new Replied(first.reply(), true, first.position(), first.timeMillis()));
    assertThat(replied(keyed("e", "")).reply()).isEqualTo(error.reply());
    assertThat(client.ask(new Question.Query(Bytes.EMPTY)))
        .isEqualTo(new Answer.QueryTold(Reply.ok("5")));
  }

  @Test
  void aSnapshotCarriesWhatWasReplied() throws IOException {
    start(settings());
    replied(keyed("k", "5"));
    Answer obeyed = client.ask(new Question.TakeSnapshot());
    assertThat(obeyed).isInstanceOf(Answer.Obeyed.class);
    replied(keyed("l", "6"));

    restart();

    assertThat(replied(keyed("k", "5")).replay()).isTrue();
    assertThat(replied(keyed("l", "6")).reply()).isEqualTo(Reply.ok("11"));
    assertThat(server.status().snapshotPosition()).isPositive();
  }

  @Test
  void aSessionPipelinesManyRequestsInOneMessage() throws IOException {
    start(settings());
    Answer.Decided answer =
        (Answer.Decided)
            client.log(new Request.Open(ClientKind.REGISTERED, "", 1, 2, 0, 0, false, true, 0));
    Opened opened = (Opened) answer.decision();
    assertThat(answer.clusterTag()).isNotZero();
    Request.Address address =
        new Request.Address(answer.clusterTag(), opened.session(), opened.incarnation());
    List<Question> questions = new ArrayList<>();
    for (int sequence = 1; sequence <= 1000; sequence++) {
      questions.add(
          RawClient.logged(new Request.InSession(address, sequence, 1, null, Bytes.utf8("1"))));
    }
    List<CompletableFuture<Answer>> answers = client.ask(questions);
    for (int i = 0; i < answers.size(); i++) {
      Decision decision = ((Answer.Decided) RawClient.await(answers.get(i))).decision();
      assertThat(((Replied) decision).reply()).isEqualTo(Reply.ok(Integer.toString(i + 1)));
    }
    assertThat(client.ask(new Question.OutcomeOfSequence(address, 1000)))
        .isInstanceOfSatisfying(
            Answer.OutcomeTold.class,
            told -> assertThat(told.outcome()).isInstanceOf(Outcome.Executed.class));
    assertThat(client.ask(new Question.ListSessions(0, 10)))
        .isInstanceOfSatisfying(
            Answer.SessionsTold.class, told -> assertThat(told.sessions()).hasSize(1));
  }

  @Test
  void statusTellsWhatTheNodeIs() throws IOException {
    start(settings());
    replied(keyed("k", "5"));
    replied(keyed("k", "5"));
    NodeStatus status = ((Answer.StatusTold) client.ask(new Question.Status(true))).status();
    assertThat(status.role()).isEqualTo("leader");
    assertThat(status.leader()).isEqualTo("node1");
    assertThat(status.members()).containsExactly(settings().self());
    assertThat(status.digest()).hasSize(64);
    assertThat(status.keys()).isEqualTo(1);
    assertThat(status.replays()).isEqualTo(1);
  }

  @Test
  void garbageEndsOnlyItsOwnConversation() throws IOException {
    start(settings());
    try (RawClient vandal = new RawClient(server.clientPort())) {
      vandal.sendRaw(new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff});
      assertThat(RawClient.await(vandal.closed).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
    assertThat(replied(keyed("k", "5")).reply()).isEqualTo(Reply.ok("5"));
  }

  @Test
  void aCommandThatStopsTheNodeIsNamedAndCanBeQuarantined() throws IOException {
    start(settings());
    replied(keyed("before", "1"));
    client.ask(List.of(RawClient.logged(keyed("poison", "die"))));
    OncewardServer.Failure failure = RawClient.await(server.failure());
    assertThat(failure.what()).contains("--quarantine");
    String place = failure.what().replaceAll("(?s).*--quarantine (\\d+/\\d+).*", "$1");
    String[] parts = place.split("/", -1);
    stop();

    start(
        settings()
            .withQuarantined(
                List.of(
                    new ServerSettings.Quarantined(
                        Long.parseLong(parts[0]), Integer.parseInt(parts[1])))));
    assertThat(replied(keyed("poison", "die")).reply()).isEqualTo(Reply.FAILED);
    assertThat(replied(keyed("after", "1")).reply()).isEqualTo(Reply.ok("2"));
  }

  /** A class that is missing, say: the process may go on, and start a server once more. */
  @Test
  void errorAtTheStartLeavesFolderAndPortsFree() throws IOException {
    start(settings());
    replied(keyed("k", "5"));
    client.ask(new Question.TakeSnapshot());
    stop();
    assertThatThrownBy(() -> OncewardServer.start(settings(), new FailingService(true)))
        .hasStackTraceContaining("no such class");
    assertThatThrownBy(() -> OncewardServer.start(settings(), new FailingService(false)))
        .hasStackTraceContaining("no such class");
    start(settings());
    assertThat(replied(keyed("k", "5")).replay()).isTrue();
  }

  /** Cannot be made a part of a node, or cannot be restored there. */
  private record FailingService(boolean atOnce) implements Service {
    @Override
    public void enable(SortedSet<String> names) {
      if (atOnce) {
        throw new NoClassDefFoundError("no such class");
      }
    }

    @Override
    public Reply execute(Command command) {
      return Reply.ok("");
    }

    @Override
    public Reply query(Command question) {
      return Reply.ok("");
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {
      throw new NoClassDefFoundError("no such class");
    }
  }

  @Test
  void aTakenPortIsNamed() throws IOException {
    start(settings());
    Path other = folder.resolveSibling(folder.getFileName() + "-other");
    assertThatThrownBy(
            () ->
                OncewardServer.start(
                    ServerSettings.alone(other, port, freePort()), new AddingService()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen for clients on 127.0.0.1:" + port);
    assertThatThrownBy(
            () ->
                OncewardServer.start(
                    ServerSettings.alone(other, freePort(), peerPort), new AddingService()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(Integer.toString(peerPort));
  }
}
