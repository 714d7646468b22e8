package io.onceward.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.client.SessionLostException;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 * What is forgotten with age, what is not, and what is forgotten because somebody said so. The last
 * method leaves log time ahead of all clocks, so that nothing ages any more.
 */
@Tag("processes")
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AgeTest {
  @TempDir private static Path folder;
  private static Cluster cluster;
  private static Onceward client;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(folder);
    client = Onceward.connect(cluster.addresses());
  }

  @AfterAll
  static void end() {
    if (client != null) {
      client.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void set(Parameter parameter, Duration value) throws Exception {
    Patience.get("a parameter to be set", client.admin().set(parameter, value.toMillis()));
  }

  private static void expireAfter(Duration idle) throws Exception {
    set(Parameter.KEEP_ALIVE_MILLIS, Duration.ofMillis(100));
    set(Parameter.SESSION_EXPIRY_MILLIS, idle);
  }

  private static CompletableFuture<Decided> add(Session session, String counter) {
    return session.submit(Commands.COUNTER, Commands.add(counter));
  }

  @Test
  @Order(1)
  void whoseSessionExpiredLearnsWhatIsUnknownAndNothingIsResent() throws Exception {
    // With such an interval nothing is logged in time that says that the session is there.
    set(Parameter.KEEP_ALIVE_MILLIS, Duration.ofMinutes(10));
    set(Parameter.SESSION_EXPIRY_MILLIS, Duration.ofSeconds(1));
    Session session = Patience.get("a session", client.openSession());
    Decided decided = Patience.get("a decision", add(session, "expired"));
    long idle = System.nanoTime();
    Patience.until(
        "the end of an idle session",
        () -> System.nanoTime() - idle > Duration.ofSeconds(3).toNanos());
    List<CompletableFuture<Decided>> late = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      late.add(add(session, "expired"));
    }
    List<RequestId> unknown = new ArrayList<>();
    for (CompletableFuture<Decided> each : late) {
      SessionLostException lost = lost(each);
      assertThat(lost.refusal()).isEqualTo(Refusal.NO_SESSION);
      assertThat(lost.mayResend()).isFalse();
      lost.requestId().ifPresent(unknown::add);
      assertThat(lost.unknown()).hasSizeLessThanOrEqualTo(3).containsAll(unknown);
    }
    assertThat(unknown).isNotEmpty();
    assertThat(outcome(session, decided.id())).isEqualTo(new Outcome.NoSession());
    assertThat(cluster.counter("expired")).isEqualTo(1);
    expireAfter(Duration.ofSeconds(4));
    // Opening another one is the caller's own decision.
    Session next = Patience.get("another session", client.openSession());
    Decided again = Patience.get("a decision", add(next, "expired"));
    assertThat(Commands.value(again.reply())).isEqualTo(2);
    next.close();
  }

  private static Outcome outcome(Session session, RequestId id) throws Exception {
    return Patience.get("an outcome", session.outcome(id));
  }

  private static SessionLostException lost(CompletableFuture<Decided> future) throws Exception {
    try {
      Decided decided = Patience.get("the loss of the session", future);
      throw new AssertionError("it was decided: " + decided);
    } catch (SessionLostException expected) {
      return expected;
    } catch (CompletionException wrapped) {
      return (SessionLostException) wrapped.getCause();
    }
  }

  @Test
  @Order(2)
  void anOutageLongerThanTheExpiryExpiresNothing() throws Exception {
    Duration expiry = Duration.ofSeconds(4);
    expireAfter(expiry);
    Session session = Patience.get("a session", client.openSession());
    Patience.get("a decision", add(session, "outage"));
    long age = cluster.status(cluster.leader()).ageMillis();
    cluster.killAll();
    long down = System.nanoTime();
    CompletableFuture<Decided> asked = add(session, "outage");
    Patience.until(
        "an outage longer than the expiry", () -> System.nanoTime() - down > expiry.toNanos());
    cluster.startAll();
    assertThat(Commands.value(Patience.get("a decision", asked).reply())).isEqualTo(2);
    assertThat(cluster.status(cluster.leader()).ageMillis() - age)
        .as("the age that it grew by meanwhile")
        .isLessThan(Duration.ofNanos(System.nanoTime() - down).toMillis());
    session.close();
  }

  @Test
  @Order(3)
  void forgottenIsNotFreshOnAnyNode() throws Exception {
    long hourAgo = (System.currentTimeMillis() - Duration.ofHours(1).toMillis()) * 1_000;
    List<Request.Keyed> old = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Request.Keyed request = Commands.keyedAdd(Key.dated(hourAgo + i, i), "forgotten");
      cluster.reply(request);
      old.add(request);
    }
    // What is younger than ten minutes is never forgotten, so the clocks go ahead.
    Instant bound = Instant.ofEpochMilli(System.currentTimeMillis()).plusSeconds(1);
    OddKernel kernel = OddKernel.build(folder);
    cluster.killAll();
    try (Child a = kernel.start(cluster, "a", Duration.ofMinutes(15));
        Child b = kernel.start(cluster, "b", Duration.ofMinutes(15));
        Child c = kernel.start(cluster, "c", Duration.ofMinutes(15))) {
      for (Child each : List.of(a, b, c)) {
        each.await("onceward 0.1.0 ready");
      }
      cluster.reply(Commands.keyedAdd(Key.text("young"), "young"));
      assertThat(Patience.get("a count", client.admin().countOlderThan(bound))).isEqualTo(5);
      // Counting forgets nothing.
      assertThat(cluster.reply(old.get(0)).replay()).isTrue();
      assertThat(Patience.get("the forgetting", client.admin().forget(bound)).records())
          .isEqualTo(5);
      for (String node : cluster.ids()) {
        cluster.transferTo(node);
        assertForgotten(old);
      }
      cluster.agree();
    }
    // Clocks that go back bring nothing back.
    cluster.startAll();
    assertForgotten(old);
    assertThat(cluster.reply(Commands.keyedAdd(Key.text("young"), "young")).replay()).isTrue();
    assertThat(cluster.counter("forgotten")).isEqualTo(5);
    cluster.agree();
  }

  private static void assertForgotten(List<Request.Keyed> requests) throws Exception {
    for (Request.Keyed request : requests) {
      assertThat(cluster.decide(request))
          .isInstanceOfSatisfying(
              Decision.Refused.class,
              refused -> assertThat(refused.refusal()).isEqualTo(Refusal.FORGOTTEN));
      RequestId id = new RequestId.OfKey(Scope.NONE, request.key());
      assertThat(Patience.get("an outcome", client.outcome(id)))
          .isInstanceOf(Outcome.NoRecordSince.class);
    }
  }
}
