package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.engine.Engine;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeTest {
  @TempDir Path folder;
  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private @Nullable Node node;

  static class Log implements Engine {
    final List<byte[]> submitted = new ArrayList<>();
    final List<Object> handles = new ArrayList<>();
    @Nullable Error problem;

    @Override
    public void submit(byte[] entry, Object handle) {
      if (problem != null) {
        throw problem;
      }
      submitted.add(entry);
      handles.add(handle);
    }

    @Override
    public CompletableFuture<Void> readBarrier() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Long> takeSnapshot() {
      return CompletableFuture.completedFuture(0L);
    }

    @Override
    public CompletableFuture<Void> transferLeadership(String member) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> removeMember(String id) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public Status status() {
      return new Status("leader", "node1", List.of(), 1, 1, 0);
    }

    @Override
    public void close() {}
  }

  /** Takes its time to write its state. */
  private final class Slow implements Service {
    private int executed;

    @Override
    public Reply execute(Command command) {
      return Reply.ok(Integer.toString(++executed));
    }

    @Override
    public Frozen freeze() {
      int state = executed;
      return out -> {
        writing.countDown();
        try {
          release.await();
        } catch (InterruptedException stopped) {
          throw new IllegalStateException(stopped);
        }
        out.write(state);
      };
    }

    @Override
    public void restore(InputStream in) {}
  }

  private Node start(Service service) {
    Node made = new Node(ServerSettings.alone(folder, 1, 2), service);
    node = made;
    return made;
  }

  @AfterEach
  void stop() {
    release.countDown();
    if (node != null) {
      node.close();
    }
  }

  @Test
  void nodeThatLeadsBeforeItIsAttachedFormsItsClusterAfterwards() {
    Node lone = start(new AddingService());
    lone.leading(1);
    assertThat(lone.failure()).isNotDone();
    Log log = new Log();
    lone.attach(log);
    lone.apply(1, 1, log.submitted.get(0), log.handles.get(0));
    assertThat(lone.ready()).isDone();
    assertThat(lone.failure()).isNotDone();
  }

  @Test
  void errorOfTheEngineFailsTheNode() {
    Node lone = start(new AddingService());
    Log log = new Log();
    log.problem = new NoClassDefFoundError("gone");
    lone.attach(log);
    lone.leading(1);
    assertThat(lone.failure().join().cause()).isSameAs(log.problem);
  }

  /** A lone node that has formed its cluster and leads it. */
  private Node leading(Log log) {
    Node lone = start(new AddingService());
    lone.attach(log);
    lone.leading(1);
    lone.apply(1, 1, log.submitted.get(0), log.handles.get(0));
    return lone;
  }

  @Test
  void exceptionAtTheDoorFailsTheNode() {
    Log log = new Log();
    Node lone = leading(log);
    Bytes frame = Bytes.of(RequestCodec.encode(new Request.Unkeyed(Bytes.utf8("1"))));
    Visitor visitor =
        new Visitor("alice") {
          @Override
          protected void answer(long ticket, Answer answer) {}
        };
    lone.arrived(at -> at.ask(visitor, 1, new Question.Logged(frame)));
    Object handle = log.handles.get(1);
    // An entry that decides nothing comes back in place of the one that was submitted.
    long tag = lone.read(Tables::clusterId).tag();
    lone.apply(2, 1, new LogEntry(tag, 1_700_000_000_000L, List.of()).encode(), handle);
    Node.Failure failure = lone.failure().join();
    assertThat(failure.what()).isEqualTo("something went wrong at the door");
    assertThat(failure.cause()).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void exceptionWhenTheAlarmGoesOffFailsTheNode() {
    Log log = new Log();
    Node lone = leading(log);
    long tag = lone.read(Tables::clusterId).tag();
    Request often = new Request.SetParameter(Parameter.KEEP_ALIVE_MILLIS, 100);
    lone.apply(2, 1, entry(tag, often), null);
    byte[] deadly = entry(tag, new Request.Unkeyed(Bytes.utf8("die")));
    // The engine would fail the node, and does not here: the next tick finds broken tables.
    assertThatThrownBy(() -> lone.apply(3, 1, deadly, null)).isInstanceOf(StoppedByError.class);
    Node.Failure failure = lone.failure().join();
    assertThat(failure.what()).isEqualTo("something went wrong at the door");
    assertThat(failure.cause()).isInstanceOf(Tables.NotWholeException.class);
  }

  @Test
  void nodeGoesOnWhileADigestIsComputed() throws Exception {
    Node lone = start(new Slow());
    lone.attach(new Log());
    ClusterId id = new ClusterId(1, 2);
    lone.apply(1, 1, entry(0, new Request.FormCluster(id)), null);
    CompletableFuture<NodeStatus> digested = CompletableFuture.supplyAsync(() -> lone.status(true));
    writing.await();
    lone.apply(2, 1, entry(id.tag(), new Request.Unkeyed(Bytes.utf8("x"))), null);
    assertThat(lone.status(false).position()).isEqualTo(2);
    assertThat(digested).isNotDone();
    release.countDown();
    assertThat(digested.get().position()).as("the digest is of this one").isEqualTo(1);
    assertThat(digested.get().digest()).isNotEmpty().isNotEqualTo(lone.status(true).digest());
  }

  private static boolean differs(Node node) {
    return node.status(false).difference() != null;
  }

  @Test
  void differenceIsKnownAfterARestartAndOverOnceTheStateIsReplaced() throws Exception {
    release.countDown();
    Node odd = start(new AddingService());
    odd.attach(new Log());
    ClusterId id = new ClusterId(1, 2);
    odd.apply(1, 1, entry(0, new Request.FormCluster(id)), null);
    odd.apply(2, 1, entry(id.tag(), new Request.CompareDigests()), null);
    Bytes leaders = Bytes.of(new byte[Request.NameDigest.DIGEST_BYTES]);
    odd.apply(3, 1, entry(id.tag(), new Request.NameDigest(2, leaders)), null);
    while (!differs(odd) || !Files.exists(folder.resolve("differs.properties"))) {
      LockSupport.parkNanos(1_000_000);
    }
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    odd.freeze().writeTo(snapshot);
    odd.close();

    Node restarted = start(new AddingService());
    restarted.attach(new Log());
    restarted.restore(new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(differs(restarted)).as("its own snapshot").isTrue();
    restarted.restore(new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(differs(restarted)).as("a snapshot of the leader").isFalse();
    restarted.close();
    Node rebuilt = start(new AddingService());
    rebuilt.attach(new Log());
    assertThat(differs(rebuilt)).isFalse();
  }

  @Test
  void tablesOfASnapshotThatWasNotRestoredAreNotRead() throws Exception {
    Node follower = start(new AddingService());
    ClusterId id = new ClusterId(1, 2);
    follower.apply(1, 1, entry(0, new Request.FormCluster(id)), null);
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    follower.freeze().writeTo(snapshot);
    byte[] half = Arrays.copyOf(snapshot.toByteArray(), snapshot.size() / 2);
    assertThatThrownBy(() -> follower.restore(new ByteArrayInputStream(half)));
    assertThatThrownBy(() -> follower.read(Tables::clusterId))
        .isInstanceOf(Tables.NotWholeException.class);
    assertThatThrownBy(follower::freeze).isInstanceOf(Tables.NotWholeException.class);
    follower.restore(new ByteArrayInputStream(snapshot.toByteArray()));
    assertThat(follower.read(Tables::clusterId)).isEqualTo(id);
  }

  @Test
  void tablesThatAnEntryStoppedInAreNotRead() {
    Node lone = start(new AddingService());
    ClusterId id = new ClusterId(1, 2);
    lone.apply(1, 1, entry(0, new Request.FormCluster(id)), null);
    byte[] deadly = entry(id.tag(), new Request.Unkeyed(Bytes.utf8("die")));
    assertThatThrownBy(() -> lone.apply(2, 1, deadly, null))
        .hasMessageContaining("request 2/0 stopped this node")
        .hasMessageContaining("Start the node again first")
        .hasMessageEndingWith("--quarantine 2/0@" + id);
    assertThatThrownBy(() -> lone.read(Tables::clusterId))
        .isInstanceOf(Tables.NotWholeException.class);
  }

  @Test
  void errorOutsideOfTheRequestsBlamesNone() {
    Node lone = start(new DyingOfTime());
    ClusterId id = new ClusterId(1, 2);
    lone.apply(1, 1, entry(0, new Request.FormCluster(id)), null);
    byte[] innocent = entry(id.tag(), new Request.Unkeyed(Bytes.utf8("5")));
    assertThatThrownBy(() -> lone.apply(2, 1, innocent, null))
        .hasMessageStartingWith("entry 2 stopped this node")
        .hasMessageContaining("--quarantine does not help");
  }

  /** Time may pass up to the first position only. */
  private static final class DyingOfTime implements Service {
    private int entries;

    @Override
    public Reply execute(Command command) {
      return Reply.ok("");
    }

    @Override
    public void expire(long ageMillis) {
      entries++;
      if (entries > 1) {
        throw new StackOverflowError();
      }
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }

  private static byte[] entry(long tag, Request request) {
    return new LogEntry(tag, 1_700_000_000_000L, List.of(new LogEntry.Proposal("a", request)))
        .encode();
  }
}
