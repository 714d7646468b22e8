package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.MemoryStore;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;

/** What the filter does when its memory fails, is full, or has forgotten. */
class FilterStoreTest {
  private static final Served.Handler CREATES =
      (request, response, run) -> {
        response.setStatus(201);
        response.setHeader("Location", "/orders/" + run);
        response.getWriter().print("run " + run);
      };

  @OnEachServer
  void withoutItsStoreTheFilterFailsClosed(Container container) throws Exception {
    try (FaultyStore store = new FaultyStore();
        Served served =
            Served.with(
                container,
                IdempotencyFilter.on(store)
                    .guard(g -> g.waitAtMost(Duration.ofMillis(50)).pollEvery(Duration.ofMillis(5)))
                    .build(),
                CREATES)) {
      store.claimsFail = true;
      HttpResponse<String> refused = served.post("/orders", "k1", "{}");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(refused.body())
          .contains("urn:onceward:problem:store-unavailable")
          .contains("\"mayResend\":true");
      assertThat(served.runs).hasValue(0);

      store.claimsFail = false;
      assertThat(served.post("/orders", "k1", "{}").body()).isEqualTo("run 1");
    }
  }

  /** The crash between the commit and the write of the cache that others execute twice after. */
  @OnEachServer
  void anAnswerThatCouldNotBeRecordedIsNotHandedOutAndNotExecutedAgain(Container container)
      throws Exception {
    try (FaultyStore store = new FaultyStore();
        Served served =
            Served.with(
                container,
                IdempotencyFilter.on(store)
                    .guard(
                        g ->
                            g.lease(Duration.ofMillis(100))
                                .waitAtMost(Duration.ofMillis(50))
                                .pollEvery(Duration.ofMillis(5)))
                    .build(),
                CREATES)) {
      store.recordsFail = true;
      HttpResponse<String> first = served.post("/orders", "k1", "{}");
      assertThat(first.statusCode()).isEqualTo(409);
      assertThat(first.body())
          .contains("urn:onceward:problem:unknown-outcome")
          .doesNotContain("run 1");
      assertThat(first.headers().firstValue("Location")).isEmpty();

      store.recordsFail = false;
      HttpResponse<String> retry = served.post("/orders", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aStoreThatComesBackInTimeCostsNothing(Container container) throws Exception {
    try (FaultyStore store = new FaultyStore();
        Served served =
            Served.with(
                container,
                IdempotencyFilter.on(store).guard(g -> g.pollEvery(Duration.ofMillis(5))).build(),
                CREATES)) {
      store.recordsFail = true;
      var answer = served.sendAsync(served.keyed("/orders", "k1", "{}"));
      Served.await(() -> served.runs.get() == 1);
      store.recordsFail = false;
      assertThat(answer.get().body()).isEqualTo("run 1");
      assertThat(served.post("/orders", "k1", "{}").body()).isEqualTo("run 1");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aFullMemoryRefusesAndStillReplays(Container container) throws Exception {
    try (MemoryStore store = MemoryStore.builder().maxEntries(1).build();
        Served served = Served.with(container, IdempotencyFilter.on(store).build(), CREATES)) {
      served.post("/orders", "k1", "{}");
      HttpResponse<String> refused = served.post("/orders", "k2", "{}");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(refused.body()).contains("urn:onceward:problem:overloaded").contains("maxEntries");
      assertThat(served.post("/orders", "k1", "{}").body()).isEqualTo("run 1");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aDatedKeyThatWasForgottenIsNotFresh(Container container) throws Exception {
    try (MemoryStore store = MemoryStore.builder().build();
        Served served =
            Served.with(
                container,
                IdempotencyFilter.on(store).guard(g -> g.retention(Duration.ofMillis(1))).build(),
                CREATES)) {
      String key =
          new UUID(System.currentTimeMillis() << 16 | 0x7000, 0x8000000000000001L).toString();
      served.post("/orders", key, "{}");
      Served.await(
          () -> {
            int unused = store.sweep(10);
            try {
              return served.post("/orders", key, "{}").statusCode() == 410;
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      assertThat(served.post("/orders", key, "{}").body())
          .contains("urn:onceward:problem:forgotten");
      assertThat(served.runs).hasValue(1);
    }
  }
}
