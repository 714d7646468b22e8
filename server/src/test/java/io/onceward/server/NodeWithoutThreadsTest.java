package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node does beside its work must not stop it, when the machine has no thread for that. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeWithoutThreadsTest {
  private static final ClusterId ID = new ClusterId(1, 2);

  @TempDir Path folder;
  private volatile boolean threads = true;
  private final Fragile service = new Fragile();
  private @Nullable Node node;

  /** Cannot always be frozen, and not always be written. */
  private static final class Fragile implements Service {
    private final AddingService adding = new AddingService();
    volatile @Nullable Error onFreezing;
    volatile @Nullable Error onWriting;

    @Override
    public Reply execute(Command command) {
      return adding.execute(command);
    }

    @Override
    public Frozen freeze() {
      throwIfAny(onFreezing);
      Frozen frozen = adding.freeze();
      return out -> {
        throwIfAny(onWriting);
        frozen.writeTo(out);
      };
    }

    private static void throwIfAny(@Nullable Error problem) {
      if (problem != null) {
        throw problem;
      }
    }

    @Override
    public void restore(InputStream in) throws IOException {
      adding.restore(in);
    }
  }

  private Node start() {
    Node made = new Node(ServerSettings.alone(folder, 1, 2), service, this::execute, this::execute);
    node = made;
    made.attach(new NodeTest.Log());
    made.apply(1, 1, entry(0, new Request.FormCluster(ID)), null);
    return made;
  }

  private void execute(Runnable work) {
    if (!threads) {
      throw new InternalError("unable to create native thread");
    }
    Thread one = new Thread(work, "test");
    one.setDaemon(true);
    one.start();
  }

  @AfterEach
  void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static byte[] entry(long tag, Request request) {
    return new LogEntry(tag, 1_700_000_000_000L, List.of(new LogEntry.Proposal("a", request)))
        .encode();
  }

  private static Request name(long position) {
    return new Request.NameDigest(position, Bytes.of(new byte[Request.NameDigest.DIGEST_BYTES]));
  }

  private static boolean differs(Node node) {
    return node.status(false).difference() != null;
  }

  /** Asks for digests until one was compared: the one before may be under way still. */
  private void assertComparesFrom(Node node, long first) {
    for (long position = first; !differs(node); position += 2) {
      node.apply(position, 1, entry(ID.tag(), new Request.CompareDigests()), null);
      node.apply(position + 1, 1, entry(ID.tag(), name(position)), null);
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(node.failure()).isNotDone();
  }

  @Test
  void digestThatGetsNoThreadIsLeftOut() {
    Node lone = start();
    threads = false;
    lone.apply(2, 1, entry(ID.tag(), new Request.CompareDigests()), null);
    assertThat(lone.failure()).isNotDone();
    threads = true;
    assertComparesFrom(lone, 3);
  }

  @Test
  void digestOfAServiceThatCannotBeFrozenIsLeftOut() {
    Node lone = start();
    service.onFreezing = new InternalError("heap");
    lone.apply(2, 1, entry(ID.tag(), new Request.CompareDigests()), null);
    assertThat(lone.failure()).isNotDone();
    service.onFreezing = null;
    assertComparesFrom(lone, 3);
  }

  @Test
  void digestOfAServiceThatCannotBeWrittenIsLeftOut() throws Exception {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Node lone =
        new Node(
            ServerSettings.alone(folder, 1, 2),
            service,
            this::execute,
            work ->
                execute(
                    () -> {
                      work.run();
                      ended.complete(null);
                    }));
    node = lone;
    lone.attach(new NodeTest.Log());
    lone.apply(1, 1, entry(0, new Request.FormCluster(ID)), null);
    service.onWriting = new StackOverflowError();
    lone.apply(2, 1, entry(ID.tag(), new Request.CompareDigests()), null);
    ended.get();
    assertThat(lone.failure()).isNotDone();
    service.onWriting = null;
    assertComparesFrom(lone, 3);
  }

  @Test
  void snapshotIsWrittenAlthoughWhatFollowsItGetsNoThread() throws Exception {
    Node lone = start();
    threads = false;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    lone.freeze().writeTo(written);
    assertThat(written.size()).isPositive();
    assertThat(lone.failure()).isNotDone();
  }

  @Test
  void statusIsAnsweredAlthoughItsTurnGetsNoThread() throws Exception {
    Node lone = start();
    threads = false;
    for (boolean withDigest : List.of(false, true)) {
      CompletableFuture<Answer> heard = new CompletableFuture<>();
      Visitor visitor =
          new Visitor("alice") {
            @Override
            protected void answer(long ticket, Answer answer) {
              heard.complete(answer);
            }
          };
      lone.arrived(at -> at.ask(visitor, 1, new Question.Status(withDigest)));
      assertThat(heard.get()).isInstanceOf(Answer.StatusTold.class);
      lone.arrived(at -> assertThat(visitor.statuses).isZero());
    }
    assertThat(lone.failure()).isNotDone();
  }

  @Test
  void differenceEndsWithTheNextEqualDigest() {
    Node odd = start();
    odd.apply(2, 1, entry(ID.tag(), new Request.CompareDigests()), null);
    odd.apply(3, 1, entry(ID.tag(), name(2)), null);
    Path kept = folder.resolve("differs.properties");
    while (!differs(odd) || !Files.exists(kept)) {
      LockSupport.parkNanos(1_000_000);
    }
    odd.apply(4, 1, entry(ID.tag(), new Request.CompareDigests()), null);
    Bytes own = Bytes.of(HexFormat.of().parseHex(odd.status(true).digest()));
    odd.apply(5, 1, entry(ID.tag(), new Request.NameDigest(4, own)), null);
    while (differs(odd) || Files.exists(kept)) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(odd.failure()).isNotDone();
  }
}
