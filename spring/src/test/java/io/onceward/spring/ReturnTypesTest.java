package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.spring.AnswersApplication.Answers;
import io.smallrye.mutiny.Uni;
import jakarta.servlet.http.HttpServletRequest;
import java.io.OutputStream;
import java.io.Writer;
import java.lang.reflect.Method;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * What a handler method answers, by its return type: a replay has the status, the headers and the
 * body of the first, byte for byte, and the first is what Spring sends without {@link Once}; or the
 * application does not start.
 */
class ReturnTypesTest {
  /** As a transmission has them, or the mark that a replay has. */
  private static final List<String> OF_ONE_COPY =
      List.of("date", "connection", "idempotent-replayed", "content-length", "transfer-encoding");

  private static final List<Running> RUNNING = new ArrayList<>();

  @AfterAll
  static void stop() {
    RUNNING.forEach(Running::close);
  }

  @TestFactory
  Stream<DynamicTest> everyReplayHasTheBytesOfTheFirst() {
    return Stream.concat(
        Arrays.stream(Running.Server.values())
            .flatMap(
                server ->
                    in(server.name(), () -> Running.behind(server, AnswersApplication.class))),
        in("PostgreSQL", () -> Running.onPostgres(AnswersApplication.class)));
  }

  private static Stream<DynamicTest> in(String home, Supplier<Running> start) {
    Running app = start.get();
    RUNNING.add(app);
    List<String> names =
        Arrays.stream(Answers.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Once.class))
            .map(Method::getName)
            .sorted()
            .toList();
    assertThat(names).hasSizeGreaterThanOrEqualTo(40);
    return names.stream()
        .map(name -> DynamicTest.dynamicTest(home + " " + name, () -> check(app, name)));
  }

  private static void check(Running app, String name) throws Exception {
    HttpResponse<byte[]> bare = app.exchange("/" + name, null, "");
    HttpResponse<byte[]> first = app.exchange("/" + name, "k-" + name, "");
    HttpResponse<byte[]> replay = app.exchange("/" + name, "k-" + name, "");

    assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(app.bean(Answers.class).runs()).containsEntry(name, 2);
    assertThat(first.statusCode()).isEqualTo(bare.statusCode());
    assertThat(first.body()).isEqualTo(bare.body());
    assertThat(headers(first)).isEqualTo(headers(bare));
    assertThat(replay.statusCode()).isEqualTo(first.statusCode());
    assertThat(replay.body()).isEqualTo(first.body());
    assertThat(headers(replay)).isEqualTo(headers(first));
    assertThat(replay.headers().firstValue("content-length"))
        .isEqualTo(first.headers().firstValue("content-length"));
  }

  private static Map<String, List<String>> headers(HttpResponse<?> response) {
    Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
    OF_ONE_COPY.forEach(headers::remove);
    // Some containers spell out what a redirect is relative to.
    headers.computeIfPresent(
        "location", (name, all) -> List.of(response.uri().resolve(all.get(0)).toString()));
    return headers;
  }

  @EnableAutoConfiguration
  @RestController
  static class Futures {
    @Once
    @PostMapping("/")
    CompletableFuture<String> answer() {
      return CompletableFuture.completedFuture("");
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class FutureEntities {
    @Once
    @PostMapping("/")
    ResponseEntity<CompletableFuture<String>> answer() {
      return ResponseEntity.ok().build();
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class Callables {
    @Once
    @PostMapping("/")
    Callable<String> answer() {
      return () -> "";
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class DeferredResults {
    @Once
    @PostMapping("/")
    DeferredResult<String> answer() {
      return new DeferredResult<>();
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class AsyncTasks {
    @Once
    @PostMapping("/")
    WebAsyncTask<String> answer() {
      return new WebAsyncTask<>(() -> "");
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class StreamingBodies {
    @Once
    @PostMapping("/")
    StreamingResponseBody answer() {
      return out -> out.write(1);
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class StreamingEntities {
    @Once
    @PostMapping("/")
    ResponseEntity<StreamingResponseBody> answer() {
      return ResponseEntity.ok(out -> out.write(1));
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class Emitters {
    @Once
    @PostMapping("/")
    ResponseBodyEmitter answer() {
      return new ResponseBodyEmitter();
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class Events {
    @Once
    @PostMapping("/")
    SseEmitter answer() {
      return new SseEmitter();
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class Streams {
    @Once
    @PostMapping("/")
    Stream<String> answer() {
      return Stream.of("");
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class Iterators {
    @Once
    @PostMapping("/")
    Iterator<String> answer() {
      return List.of("").iterator();
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class Publishers {
    @Once
    @PostMapping("/")
    Flow.Publisher<String> answer() {
      return subscriber -> subscriber.onComplete();
    }
  }

  /** Reactive, and no publisher. */
  @EnableAutoConfiguration
  @RestController
  static class Singles {
    @Once
    @PostMapping("/")
    Uni<String> answer() {
      return subscriber -> subscriber.accept("");
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class SingleEntities {
    @Once
    @PostMapping("/")
    ResponseEntity<Uni<String>> answer() {
      return ResponseEntity.ok().build();
    }
  }

  /** What a functional endpoint returns writes itself, later. */
  @EnableAutoConfiguration
  static class Functions {
    @Once
    public ServerResponse answer(ServerRequest request) {
      return ServerResponse.ok().build();
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class Writes {
    @Once
    @PostMapping("/")
    void answer(Writer writer) {}
  }

  @EnableAutoConfiguration
  @RestController
  static class Outputs {
    @Once
    @PostMapping("/")
    void answer(OutputStream out) {}
  }

  @EnableAutoConfiguration
  @RestController
  static class Reasons {
    @Once
    @PostMapping("/")
    @ResponseStatus(code = HttpStatus.ACCEPTED, reason = "why not")
    void answer() {}
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Futures.class,
        FutureEntities.class,
        Callables.class,
        DeferredResults.class,
        AsyncTasks.class,
        StreamingBodies.class,
        StreamingEntities.class,
        Emitters.class,
        Events.class,
        Streams.class,
        Iterators.class,
        Publishers.class,
        Singles.class,
        SingleEntities.class,
        Functions.class,
        Writes.class,
        Outputs.class,
        Reasons.class
      })
  void anAnswerThatIsNotWholeStopsTheApplication(Class<?> application) {
    assertThatThrownBy(() -> Running.withoutDatabase(application).close())
        .hasStackTraceContaining("@Once on " + application.getSimpleName() + ".answer")
        .hasStackTraceContaining("remembered");
  }

  @EnableAutoConfiguration
  @Controller
  static class NamedViews {
    @Once
    @PostMapping("/")
    String answer(Model model) {
      return "receipt";
    }
  }

  @EnableAutoConfiguration
  @Controller
  static class DefaultViews {
    @Once
    @PostMapping("/")
    void answer() {}
  }

  @EnableAutoConfiguration
  @Controller
  static class Models {
    @Once
    @PostMapping("/")
    ModelAndView answer() {
      return new ModelAndView("receipt");
    }
  }

  @EnableAutoConfiguration
  @Controller
  static class OwnViews {
    @Once
    @PostMapping("/")
    View answer() {
      return (model, request, response) -> {};
    }
  }

  @EnableAutoConfiguration
  @Controller
  static class Maps {
    @Once
    @PostMapping("/")
    Map<String, String> answer() {
      return Map.of();
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {NamedViews.class, DefaultViews.class, Models.class, OwnViews.class, Maps.class})
  void anAnswerThatIsLeftToAViewStopsTheApplication(Class<?> application) {
    assertThatThrownBy(() -> Running.withoutDatabase(application).close())
        .hasStackTraceContaining("@Once on " + application.getSimpleName() + ".answer")
        .hasStackTraceContaining("guard the path by onceward.http.routes");
  }

  @EnableAutoConfiguration
  @RestController
  static class Suspending {
    @Once
    @PostMapping("/")
    void answer(HttpServletRequest request) {
      request.startAsync();
    }
  }

  /** It has run, and nobody can know what it would answer. */
  @ParameterizedTest
  @EnumSource
  void aHandlerThatWouldAnswerLaterIsToldAsExecuted(Running.Server server) throws Exception {
    try (Running app = Running.behind(server, Suspending.class)) {
      assertThat(app.post("/", "k", "").statusCode()).isEqualTo(500);
      assertThat(app.post("/", "k", "").body()).contains("urn:onceward:problem:failed");
    }
  }
}
