package io.onceward.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.client.SessionOptions;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions that have nothing to do while an administrator makes keep-alive and expiry much shorter
 * (S7, C3). By the interval they knew they would speak once a minute.
 */
@Tag("processes")
@Timeout(120)
class KeepAliveTest {
  @TempDir private static Path folder;
  private static Cluster cluster;
  private static Onceward administrator;
  private static Onceward client;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(folder);
    administrator = Onceward.connect(cluster.addresses());
    client = Onceward.connect(cluster.addresses());
  }

  @AfterAll
  static void end() {
    if (client != null) {
      client.close();
      administrator.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void set(Parameter parameter, Duration value) throws Exception {
    Patience.get("a parameter to be set", administrator.admin().set(parameter, value.toMillis()));
  }

  @BeforeEach
  void speakOnceAMinute() throws Exception {
    set(Parameter.SESSION_EXPIRY_MILLIS, Duration.ofMinutes(3));
    set(Parameter.DURABLE_EXPIRY_MILLIS, Duration.ofMinutes(3));
    set(Parameter.KEEP_ALIVE_MILLIS, Duration.ofMinutes(1));
  }

  private static List<Session> idleSessions() throws Exception {
    List<Session> sessions = new ArrayList<>();
    for (SessionOptions options :
        List.of(
            SessionOptions.registered(),
            SessionOptions.auto("idle"),
            SessionOptions.durable("idle"))) {
      Session session = Patience.get("a session", client.open(options));
      Patience.until(
          "it knows the long interval", () -> session.info().keepAliveMillis() == 60_000);
      sessions.add(session);
    }
    return sessions;
  }

  /** The interval first: until it is shorter, no keep-alive is applied in time. */
  private static void expectThemEverySecond() throws Exception {
    set(Parameter.KEEP_ALIVE_MILLIS, Duration.ofSeconds(1));
    set(Parameter.SESSION_EXPIRY_MILLIS, Duration.ofSeconds(3));
    set(Parameter.DURABLE_EXPIRY_MILLIS, Duration.ofSeconds(3));
  }

  private static void assertTheyOutlive(List<Session> sessions, Duration duration)
      throws Exception {
    long born = age();
    List<Request.Address> addresses = sessions.stream().map(s -> s.info().address()).toList();
    Patience.until(
        "age to pass, as it does while a session is there",
        () -> age() - born > duration.toMillis());
    for (int i = 0; i < sessions.size(); i++) {
      Session session = sessions.get(i);
      assertThat(session.info().expiryMillis()).isEqualTo(3_000);
      Patience.get("a decision", session.submit(Commands.COUNTER, Commands.add("idle")));
      assertThat(session.info().address()).isEqualTo(addresses.get(i));
      session.close();
    }
  }

  private static long age() throws Exception {
    return cluster.status(cluster.leader()).ageMillis();
  }

  @Test
  void idleSessionsLiveOnWhenTheyHaveToSpeakMoreOften() throws Exception {
    List<Session> sessions = idleSessions();
    expectThemEverySecond();
    assertTheyOutlive(sessions, Duration.ofSeconds(10));
  }

  /** They have not noticed: they said nothing since. */
  @Test
  void idleSessionsLiveOnEvenIfAnotherNodeLeadsMeanwhile() throws Exception {
    List<Session> sessions = idleSessions();
    cluster.transferTo(cluster.follower());
    expectThemEverySecond();
    assertTheyOutlive(sessions, Duration.ofSeconds(10));
  }
}
