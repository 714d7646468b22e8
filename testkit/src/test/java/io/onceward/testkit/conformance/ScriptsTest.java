package io.onceward.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.client.ClusterStore;
import io.onceward.client.Onceward;
import io.onceward.client.ReplicaStore;
import io.onceward.guard.MemoryHome;
import io.onceward.server.FreePorts;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.services.ServiceDirectory;
import io.onceward.testkit.conformance.Scripts.Script;
import io.onceward.wire.Member;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The homes that need no database; those in PostgreSQL are in the module jdbc. */
@Timeout(60)
class ScriptsTest {
  private static final AtomicInteger FRESH = new AtomicInteger();
  @TempDir private static Path folder;
  private static OncewardServer server;
  private static Onceward client;

  @BeforeAll
  static void startServer() throws Exception {
    Member member = FreePorts.members(1, i -> "a").get(0);
    server =
        OncewardServer.start(
            ServerSettings.of(folder.resolve("data"), member, List.of(member)),
            ServiceDirectory.shipped());
    server.ready().get(30, TimeUnit.SECONDS);
    client = Onceward.connect(member.clientAddress());
  }

  @AfterAll
  static void stopServer() throws Exception {
    client.close();
    server.close();
  }

  static List<Script> replicated() {
    return Scripts.of("replicated");
  }

  static List<Script> inMemory() {
    return Scripts.of("guard-memory");
  }

  static List<Script> inReplica() {
    return Scripts.of("guard-cluster");
  }

  static List<Script> inCluster() {
    return Scripts.withoutTime("guard-cluster");
  }

  @ParameterizedTest
  @MethodSource("replicated")
  void replicatedHomeConforms(Script script) {
    Scripts.play(script, ReplicatedHome::new);
  }

  @ParameterizedTest
  @MethodSource("inMemory")
  void guardInMemoryConforms(Script script) {
    Scripts.play(script, MemoryHome::fresh);
  }

  /** The cluster's store in virtual time. */
  @ParameterizedTest
  @MethodSource("inReplica")
  void guardOnTheClaimsServiceConforms(Script script) {
    Scripts.play(
        script,
        () -> {
          ReplicaStore store = new ReplicaStore();
          return new GuardHome(store, store, scope -> store.datedOnly(scope, true));
        });
  }

  /** Through client, wire, log and disk; time is real there, so none passes. */
  @ParameterizedTest
  @MethodSource("inCluster")
  void guardInTheClusterConforms(Script script) {
    Scripts.play(
        script,
        () -> {
          ClusterStore store = client.claims("conformance-" + FRESH.incrementAndGet());
          return new GuardHome(store, GuardHome.REAL_CLOCK, scope -> store.datedOnly(scope, true));
        });
  }

  @Test
  void everyHomeHasScriptsAndAWrongAnswerFails() {
    for (String home : Scripts.HOMES) {
      assertThat(Scripts.of(home)).as(home).hasSizeGreaterThan(10);
    }
    Script wrong =
        Scripts.parse("wrong", List.of("homes: replicated", "submit k ok paid => replay ok paid"));
    assertThatThrownBy(() -> Scripts.play(wrong, ReplicatedHome::new))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("wrong, line 2: submit k ok paid")
        .hasMessageContaining("answered: executed ok paid");
  }

  @Test
  void scriptThatSaysNothingIsRefused() {
    assertThatThrownBy(() -> Scripts.parse("x", List.of("homes: all")))
        .hasMessageContaining("has no steps");
    assertThatThrownBy(() -> Scripts.parse("x", List.of("homes: moon", "outcome k => x")))
        .hasMessageContaining("moon");
    assertThatThrownBy(() -> Scripts.parse("x", List.of("homes: all", "outcome k")))
        .hasMessageContaining("has no =>");
  }
}
