package io.onceward.benchmarks;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.Codec;
import io.onceward.guard.Effect;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.MemoryStore;
import io.onceward.guard.Once;
import io.onceward.guard.Ruling;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The guard in memory around an effect that does nothing, so that all of the time is the guard's:
 * first executions of 50,000 ids in an empty store, and replays of them in random order. Beside it
 * what one would write with Caffeine. {@code caffeine-same} does the same duty as far as Caffeine
 * goes: it is asked and rules as the guard does, compares fingerprints, keeps a reply of its own,
 * coalesces, expires, and is bounded by bytes. {@code caffeine-future} and {@code caffeine-loader}
 * remember a reply for a key and nothing else. None of them has leases, fences or unknowns, and all
 * of them evict what they promised.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "-XX:+UseParallelGC",
      "-Xms2g",
      "-Xmx2g",
      "-XX:+IgnoreUnrecognizedVMOptions",
      "-XX:+UseTransparentHugePages"
    })
public class GuardBenchmark {
  private static final int REQUESTS = 50_000;
  private static final Duration RETENTION = Duration.ofHours(24);
  private static final String RECEIPT = "a receipt of forty-eight bytes: 0123456789abcdef";
  private static final Reply REPLY = Reply.ok(RECEIPT);
  private static final Fingerprint FINGERPRINT = new Fingerprint(1);

  /** Something that runs an effect once for each id. */
  interface Contender extends AutoCloseable {
    Object execute(GuardedId id, Fingerprint fingerprint);

    @Override
    default void close() {}
  }

  /**
   * What is asked and who answers. Not the benchmark itself: a state that is given the benchmark as
   * a parameter is given another one than the one that is measured.
   */
  @State(Scope.Thread)
  public abstract static class Requests {
    @Param({"guard", "once", "caffeine-same", "caffeine-future", "caffeine-loader"})
    String contender = "";

    final GuardedId[] ids = new GuardedId[REQUESTS];
    final SplittableRandom random = new SplittableRandom(1);
    Contender current;

    @Setup
    public void makeIds() {
      for (int i = 0; i < REQUESTS; i++) {
        // Of version 4: other bits might make a date.
        long high = random.nextLong() & ~0xf000L | 0x4000L;
        long low = random.nextLong() & ~(3L << 62) | 2L << 62;
        Key key = Key.uuid(new UUID(high, low));
        ids[i] = GuardedId.of("tenant " + i % 100, key);
      }
      current = open();
      prepare();
    }

    /** Before anything is measured. */
    void prepare() {}

    Contender open() {
      return switch (contender) {
        case "guard" -> new ByGuard();
        case "once" -> new ByOnce();
        case "caffeine-same" -> new BySame();
        case "caffeine-future" -> new ByFuture();
        case "caffeine-loader" -> new ByLoader();
        default -> throw new IllegalArgumentException(contender);
      };
    }

    void ask(Blackhole hole) {
      for (GuardedId id : ids) {
        hole.consume(current.execute(id, FINGERPRINT));
      }
    }

    @TearDown
    public void close() {
      current.close();
    }
  }

  /** Nothing is remembered at the beginning of an invocation. */
  public static class Empty extends Requests {
    @Setup(Level.Invocation)
    public void startOver() {
      current.close();
      current = open();
    }
  }

  /** Everything is remembered, and asked for in an order of its own. */
  public static class Full extends Requests {
    @Override
    void prepare() {
      for (GuardedId id : ids) {
        current.execute(id, FINGERPRINT);
      }
      for (int i = REQUESTS - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        GuardedId id = ids[i];
        ids[i] = ids[j];
        ids[j] = id;
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void first(Empty requests, Blackhole hole) {
    requests.ask(hole);
  }

  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public void replay(Full requests, Blackhole hole) {
    requests.ask(hole);
  }

  /** In bytes; the ask is made for each request, as a filter would. */
  private static final class ByGuard implements Contender {
    private final MemoryStore store = MemoryStore.builder().maxBytes(256L << 20).build();
    private final Guard guard = Guard.on(store).retention(RETENTION).build();
    private final Effect effect = run -> REPLY;

    @Override
    public Object execute(GuardedId id, Fingerprint fingerprint) {
      Ruling ruling = guard.decide(new Ask(id, fingerprint, "charge"), effect);
      return ((Ruling.Replied) ruling).reply();
    }

    @Override
    public void close() {
      guard.close();
      store.close();
    }
  }

  /** With types: the result is encoded at first and decoded for each replay. */
  private static final class ByOnce implements Contender {
    private final MemoryStore store = MemoryStore.builder().maxBytes(256L << 20).build();
    private final Once<String> once =
        Once.on(store, Codec.text()).retention(RETENTION).operation("charge").build();
    private final Callable<String> effect = () -> RECEIPT;

    @Override
    public Object execute(GuardedId id, Fingerprint fingerprint) {
      return once.execute(id, fingerprint, effect);
    }

    @Override
    public void close() {
      once.close();
      store.close();
    }
  }

  /** The guard's duty on Caffeine: what a decided request is told is weighed when it is decided. */
  private static final class BySame implements Contender {
    private static final int OWN_BYTES = 320;

    /** What is remembered of a request. */
    record Known(@Nullable Fingerprint fingerprint, Reply reply) {
      boolean matches(Ask ask) {
        Fingerprint asked = ask.fingerprint();
        return asked == null || asked.equals(fingerprint);
      }
    }

    private final AsyncCache<GuardedId, Known> cache =
        Caffeine.newBuilder()
            .maximumWeight(256L << 20)
            .<GuardedId, Known>weigher((id, known) -> OWN_BYTES + known.reply().bytes().length())
            .expireAfterWrite(RETENTION)
            .buildAsync();

    @Override
    public Object execute(GuardedId id, Fingerprint fingerprint) {
      Ruling ruling = decide(new Ask(id, fingerprint, "charge"));
      return ((Ruling.Replied) ruling).reply();
    }

    private Ruling decide(Ask ask) {
      CompletableFuture<Known> known = cache.getIfPresent(ask.id());
      if (known == null) {
        CompletableFuture<Known> mine = new CompletableFuture<>();
        known = cache.asMap().putIfAbsent(ask.id(), mine);
        if (known == null) {
          return run(ask, mine);
        }
      }
      Known theirs = known.join();
      return theirs.matches(ask)
          ? new Ruling.Replied(theirs.reply(), true)
          : new Ruling.Refused(Refusal.MISMATCH, "");
    }

    private static Ruling run(Ask ask, CompletableFuture<Known> mine) {
      try {
        Reply reply = new Reply(REPLY.kind(), Bytes.of(REPLY.bytes().toArray()));
        mine.complete(new Known(ask.fingerprint(), reply));
        return new Ruling.Replied(reply, false);
      } catch (RuntimeException e) {
        mine.completeExceptionally(e);
        throw e;
      }
    }
  }

  /** A future for each key: whoever puts it runs the effect, the others wait for it. */
  private static final class ByFuture implements Contender {
    private final Cache<GuardedId, CompletableFuture<Reply>> cache =
        Caffeine.newBuilder().maximumSize(100_000).expireAfterWrite(RETENTION).build();

    @Override
    public Object execute(GuardedId id, Fingerprint fingerprint) {
      CompletableFuture<Reply> known = cache.getIfPresent(id);
      if (known != null) {
        return known.join();
      }
      CompletableFuture<Reply> mine = new CompletableFuture<>();
      CompletableFuture<Reply> theirs = cache.asMap().putIfAbsent(id, mine);
      if (theirs != null) {
        return theirs.join();
      }
      mine.complete(REPLY);
      return mine.join();
    }
  }

  /** The effect as a loader, which runs while the key's bin is locked. */
  private static final class ByLoader implements Contender {
    private final Cache<GuardedId, Reply> cache =
        Caffeine.newBuilder().maximumSize(100_000).expireAfterWrite(RETENTION).build();

    @Override
    public Object execute(GuardedId id, Fingerprint fingerprint) {
      return cache.get(id, ByLoader::load);
    }

    private static Reply load(GuardedId id) {
      return REPLY;
    }
  }
}
