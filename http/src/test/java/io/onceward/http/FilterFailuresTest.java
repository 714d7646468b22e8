package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.guard.Finding;
import io.onceward.guard.Guard;
import io.onceward.guard.Meaning;
import io.onceward.guard.UnknownRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** What errors of the application become. */
class FilterFailuresTest {
  private static final Served.Handler ANSWERS_503 =
      (request, response, run) -> {
        response.setStatus(503);
        response.setContentType("text/plain");
        response.getWriter().print("run " + run);
      };

  private static final Served.Handler THROWS =
      (request, response, run) -> {
        response.setHeader("Location", "/half-way");
        throw new IllegalStateException("secret " + run);
      };

  @OnEachServer
  void a5xxIsUnknownByDefaultAndNeverSilentlyExecutedAgain(Container container) throws Exception {
    try (Served served = Served.by(container, ANSWERS_503)) {
      HttpResponse<String> first = served.post("/pay", "k1", "{}");
      assertThat(first.statusCode()).isEqualTo(503);
      assertThat(first.body()).isEqualTo("run 1");

      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body())
          .contains("urn:onceward:problem:unknown-outcome")
          .contains("\"executed\":\"unknown\"");
      assertThat(served.runs).hasValue(1);
      assertThat(served.filter.guard().unknowns(10))
          .singleElement()
          .satisfies(
              unknown -> {
                assertThat(unknown.memo()).isEqualTo("POST /pay key k1");
                assertThat(unknown.why()).isEqualTo("the application answered with status 503");
              });
    }
  }

  @OnEachServer
  void a5xxIsNotPinnedWhereTheHandlerRollsBack(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f -> f.otherwise(Route.optional().serverErrors(Meaning.DID_NOT_HAPPEN)),
            (request, response, run) -> {
              if (run == 1) {
                ANSWERS_503.handle(request, response, run);
              } else if (run == 2) {
                THROWS.handle(request, response, run);
              }
            })) {
      assertThat(served.post("/pay", "k1", "{}").body()).isEqualTo("run 1");
      assertThat(served.post("/pay", "k1", "{}").statusCode()).isEqualTo(500);
      HttpResponse<String> third = served.post("/pay", "k1", "{}");
      assertThat(third.statusCode()).isEqualTo(200);
      assertThat(Served.isReplay(third)).isFalse();
      assertThat(Served.isReplay(served.post("/pay", "k1", "{}"))).isTrue();
      assertThat(served.runs).hasValue(3);
    }
  }

  @OnEachServer
  void a5xxThatIsRememberedIsReplayedWithAMark(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f -> f.otherwise(Route.optional().serverErrors(Meaning.BUSINESS_ERROR)),
            ANSWERS_503)) {
      served.post("/pay", "k1", "{}");
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(503);
      assertThat(retry.body()).isEqualTo("run 1");
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aBusinessErrorIsReplayedWithAMark(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              response.setStatus(402);
              response.setContentType("application/problem+json");
              response.getOutputStream().print("{\"title\":\"no funds\",\"run\":" + run + "}");
            })) {
      HttpResponse<String> first = served.post("/pay", "k1", "{}");
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(402);
      assertThat(retry.body()).isEqualTo(first.body());
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void oneStatusCanBeGivenAMeaning(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f -> f.otherwise(Route.optional().status(429, Meaning.DID_NOT_HAPPEN)),
            (request, response, run) -> response.setStatus(run == 1 ? 429 : 200))) {
      assertThat(served.post("/pay", "k1", "{}").statusCode()).isEqualTo(429);
      assertThat(served.post("/pay", "k1", "{}").statusCode()).isEqualTo(200);
      assertThat(served.runs).hasValue(2);
    }
  }

  @OnEachServer
  void anExceptionIsUnknownAndTheContainerStillHandlesIt(Container container) throws Exception {
    try (Served served = Served.by(container, THROWS)) {
      HttpResponse<String> first = served.post("/pay", "k1", "{}");
      assertThat(first.statusCode()).isEqualTo(500);
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).contains("unknown-outcome").doesNotContain("secret");
      assertThat(served.filter.guard().unknowns(1).get(0).why())
          .isEqualTo("the application threw java.lang.IllegalStateException");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void anExceptionCanBeRememberedWithoutItsText(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f ->
                f.otherwise(
                    Route.optional()
                        .exceptions(
                            thrown ->
                                thrown instanceof IllegalStateException
                                    ? Meaning.BUSINESS_ERROR
                                    : Meaning.UNKNOWN)),
            THROWS)) {
      HttpResponse<String> first = served.post("/pay", "k1", "{}");
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(first.statusCode()).isEqualTo(500);
      assertThat(first.body()).doesNotContain("secret");
      assertThat(retry.statusCode()).isEqualTo(500);
      assertThat(retry.body()).isEqualTo(first.body());
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void anErrorSentWithoutABodyIsRememberedWithItsExplanation(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              response.getWriter().print("dropped");
              response.sendError(404, "no \"order\" " + run);
            })) {
      HttpResponse<String> first = served.post("/pay", "k1", "{}");
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(first.statusCode()).isEqualTo(404);
      assertThat(first.body())
          .isEqualTo("{\"type\":\"about:blank\",\"title\":\"no \\\"order\\\" 1\",\"status\":404}");
      assertThat(retry.statusCode()).isEqualTo(404);
      assertThat(retry.body()).isEqualTo(first.body());
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void theApplicationsErrorPageIsRememberedToo(Container container) throws Exception {
    Served.Setup setup =
        new Served.Setup()
            .handler((request, response, run) -> response.sendError(409, "taken"))
            .errorPage(
                (request, response, run) -> {
                  response.setContentType("application/json");
                  response
                      .getWriter()
                      .print(
                          request.getAttribute("jakarta.servlet.error.status_code")
                              + " "
                              + request.getAttribute("jakarta.servlet.error.message")
                              + " "
                              + request.getAttribute("jakarta.servlet.error.request_uri"));
                });
    try (Served served = Served.by(container, f -> f.errorPage("/error"), setup)) {
      HttpResponse<String> first = served.post("/pay", "k1", "{}");
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(first.statusCode()).isEqualTo(409);
      assertThat(first.body()).isEqualTo("409 taken /pay");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).isEqualTo(first.body());
      assertThat(retry.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/json");
    }
  }

  @OnEachServer
  void whatTheApplicationForwardsToAnswersAndIsRemembered(Container container) throws Exception {
    Served.Setup setup =
        new Served.Setup()
            .handler(
                (request, response, run) -> {
                  request.setAttribute("run", run);
                  request.getRequestDispatcher("/error").forward(request, response);
                })
            .errorPage(
                (request, response, run) -> {
                  response.setStatus(201);
                  response.setHeader("Location", "/there");
                  response.getOutputStream().print("page of run " + request.getAttribute("run"));
                });
    try (Served served = Served.by(container, f -> f, setup)) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = served.post("/pay", "k1", "{}");
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.headers().firstValue("Location")).hasValue("/there");
        assertThat(answer.body()).isEqualTo("page of run 1");
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
    }
  }

  @OnEachServer
  void anOperatorResolvesTheUnknown(Container container) throws Exception {
    try (Served served = Served.by(container, ANSWERS_503)) {
      served.post("/pay", "k1", "{}");
      served.post("/pay", "k2", "{}");
      for (UnknownRequest unknown : served.filter.guard().unknowns(10)) {
        boolean first = unknown.memo().endsWith("k1");
        Finding finding =
            first
                ? new Finding.Happened(
                    StoredResponse.of(201, "text/plain", "paid").with("Location", "/p/7").toReply())
                : new Finding.CanNoLongerHappen();
        assertThat(served.filter.guard().resolve(unknown.id(), unknown.fence(), finding)).isTrue();
      }
      HttpResponse<String> happened = served.post("/pay", "k1", "{}");
      assertThat(happened.statusCode()).isEqualTo(201);
      assertThat(happened.body()).isEqualTo("paid");
      assertThat(happened.headers().firstValue("Location")).hasValue("/p/7");
      assertThat(Served.isReplay(happened)).isTrue();
      assertThat(served.runs).hasValue(2);
      assertThat(served.post("/pay", "k2", "{}").body()).as("it runs again").isEqualTo("run 3");
    }
  }

  @OnEachServer
  void anOperatorsNoteIsNoAnswerAndRefused(Container container) throws Exception {
    try (Served served = Served.by(container, ANSWERS_503)) {
      served.post("/pay", "k1", "{}");
      Guard guard = served.filter.guard();
      UnknownRequest unknown = guard.unknowns(1).get(0);
      for (Reply note : List.of(Reply.ok("in the books"), Reply.businessError(Bytes.utf8("no")))) {
        Finding finding = new Finding.Happened(note);
        assertThatThrownBy(() -> guard.resolve(unknown.id(), unknown.fence(), finding))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("StoredResponse");
      }
      assertThat(guard.unknowns(1)).hasSize(1);
    }
  }

  @OnEachServer
  void aProbesNoteIsNoAnswerAndNotTaken(Container container) throws Exception {
    Finding note = new Finding.Happened(Reply.ok("in the books"));
    try (Served served =
        Served.by(container, f -> f.guard(g -> g.probe(request -> note)), ANSWERS_503)) {
      served.post("/pay", "k1", "{}");
      assertThat(served.post("/pay", "k1", "{}").body()).contains("unknown-outcome");
      assertThat(served.filter.guard().unknowns(1)).hasSize(1);
    }
  }

  @OnEachServer
  void anOperatorsWordWithoutAResponseIsToldAsDoneButNotKept(Container container) throws Exception {
    try (Served served = Served.by(container, ANSWERS_503)) {
      served.post("/pay", "k1", "{}");
      UnknownRequest unknown = served.filter.guard().unknowns(1).get(0);
      served
          .filter
          .guard()
          .resolve(unknown.id(), unknown.fence(), new Finding.Happened(Reply.ok("")));
      HttpResponse<String> retry = served.post("/pay", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(410);
      assertThat(retry.body())
          .contains("urn:onceward:problem:reply-not-kept")
          .contains("\"executed\":\"yes\"");
    }
  }

  @OnEachServer
  void aLeaseThatRanOutIsNoReasonToExecuteAgainAndTheKeyDoesNotStayStuck(Container container)
      throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Finding> finding = new AtomicReference<>(new Finding.CannotTell());
    try (Served served =
        Served.by(
            container,
            f ->
                f.guard(
                    g ->
                        g.lease(Duration.ofMillis(100))
                            .waitAtMost(Duration.ofMillis(50))
                            .pollEvery(Duration.ofMillis(10))
                            .probe(request -> finding.get())),
            (request, response, run) -> {
              goOn.await(20, TimeUnit.SECONDS);
              response.setStatus(201);
            })) {
      var first = served.sendAsync(served.keyed("/withdraw", "k1", "{}"));
      Served.await(() -> served.runs.get() == 1);
      Served.await(() -> !served.filter.guard().unknowns(1).isEmpty());
      HttpResponse<String> retry = served.post("/withdraw", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).contains("unknown-outcome");
      assertThat(served.runs).hasValue(1);

      goOn.countDown();
      assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
      assertThat(served.post("/withdraw", "k1", "{}").statusCode())
          .as("the late completion resolves it")
          .isEqualTo(201);
      assertThat(served.runs).hasValue(1);
    }
  }
}
