package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Executed;
import io.onceward.replica.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service is enabled only where every member hosts it: one that does not would stop (T1). */
class EnableServiceTest {
  private final FakeLog log = new FakeLog();
  private final FakeNode leader = new FakeNode(log);
  private final FakeNode follower = new FakeNode(log);
  private final AtomicInteger sent = new AtomicInteger();
  private final Onceward onceward =
      Onceward.builder()
          .retryDelay(Duration.ofMillis(20))
          .answerTimeout(Duration.ofMillis(200))
          .patience(Duration.ofSeconds(2))
          .address(leader.address())
          .build();

  @BeforeEach
  void twoMembers() {
    leader.members = List.of(leader, follower);
    follower.members = leader.members;
    follower.leads = false;
    follower.hint = leader.address();
    leader.services = List.of("counter", "kv");
    follower.services = leader.services;
    leader.losesQuestion =
        (here, question) -> {
          if (FakeNode.requestOf(question) instanceof Request.EnableService) {
            sent.incrementAndGet();
          }
          return false;
        };
  }

  @AfterEach
  void close() {
    onceward.close();
    leader.close();
    follower.close();
  }

  private void assertRefused(String why) {
    RejectedException refused =
        failure(onceward.admin().enableService("kv"), RejectedException.class);
    assertThat(refused).hasMessageContaining(why);
    assertThat(refused.executed()).isEqualTo(Executed.NEVER);
    assertThat(sent).hasValue(0);
  }

  @Test
  void serviceThatAllHostIsEnabled() {
    join(onceward.admin().enableService("kv"));
    assertThat(sent).hasValue(1);
  }

  @Test
  void memberThatLacksItIsNamed() {
    follower.services = List.of("counter");
    assertRefused(follower.id() + " does not host it");
  }

  @Test
  void memberThatCannotBeAskedIsNamed() {
    follower.kill();
    assertRefused(follower.address() + " cannot be asked");
  }

  @Test
  void operatorWhoKnowsBetterMayInsist() {
    follower.services = List.of();
    join(onceward.admin().enableServiceUnchecked("kv"));
    assertThat(sent).hasValue(1);
  }
}
