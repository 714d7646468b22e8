package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Headers of the application are replayed; those of filters in front are theirs to set again. */
class FilterHeadersTest {
  private static final Filter SETS_HEADERS =
      (request, response, chain) -> {
        HttpServletResponse http = (HttpServletResponse) response;
        http.addHeader("Vary", "Origin");
        http.setHeader("Cache-Control", "no-store");
        chain.doFilter(request, response);
      };

  private static void bothAre(
      Container container, Filter between, Served.Handler handler, String name, String... values)
      throws Exception {
    try (Served served =
        Served.by(container, any -> any, new Served.Setup().between(between).handler(handler))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = served.post("/pay", "k1", "{}");
        assertThat(answer.headers().allValues(name)).as("copy " + copy).containsExactly(values);
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
    }
  }

  @OnEachServer
  void headersOfFiltersInFrontAreNotDoubled(Container container) throws Exception {
    Served.Handler answers = (request, response, run) -> response.getWriter().print("x");
    bothAre(container, SETS_HEADERS, answers, "Vary", "Origin");
    bothAre(container, SETS_HEADERS, answers, "Cache-Control", "no-store");
  }

  @OnEachServer
  void whatTheApplicationAddsComesOnceToo(Container container) throws Exception {
    bothAre(
        container,
        SETS_HEADERS,
        (request, response, run) -> response.addHeader("Vary", "Accept"),
        "Vary",
        "Origin",
        "Accept");
  }

  @OnEachServer
  void whatTheApplicationReplacesStaysReplaced(Container container) throws Exception {
    bothAre(
        container,
        SETS_HEADERS,
        (request, response, run) -> response.setHeader("Cache-Control", "max-age=60"),
        "Cache-Control",
        "max-age=60");
  }

  @OnEachServer
  void severalValuesOfTheApplicationAreAllReplayed(Container container) throws Exception {
    bothAre(
        container,
        SETS_HEADERS,
        (request, response, run) -> {
          response.addHeader("Link", "</a>; rel=next");
          response.addHeader("Link", "</b>; rel=last");
        },
        "Link",
        "</a>; rel=next",
        "</b>; rel=last");
  }

  @OnEachServer
  void aFilterInFrontSpeaksForEachRequestAnew(Container container) throws Exception {
    AtomicInteger copies = new AtomicInteger();
    try (Served served =
        Served.by(
            container,
            any -> any,
            new Served.Setup()
                .between(
                    (request, response, chain) -> {
                      ((HttpServletResponse) response)
                          .setHeader("Expires", "copy " + copies.incrementAndGet());
                      chain.doFilter(request, response);
                    })
                .handler((request, response, run) -> response.getWriter().print("x")))) {
      assertThat(served.post("/pay", "k1", "{}").headers().allValues("Expires"))
          .isEqualTo(List.of("copy 1"));
      assertThat(served.post("/pay", "k1", "{}").headers().allValues("Expires"))
          .isEqualTo(List.of("copy 2"));
    }
  }

  /** A browser shows a replay to its page only with the headers that let it see the first. */
  @OnEachServer
  void whatLetsABrowserSeeTheAnswerIsReplayed(Container container) throws Exception {
    Served.Handler cors =
        (request, response, run) -> {
          response.setHeader("Access-Control-Allow-Origin", "https://shop.example");
          response.setHeader("Access-Control-Allow-Credentials", "true");
          response.setHeader("Access-Control-Expose-Headers", "Location");
        };
    bothAre(container, SETS_HEADERS, cors, "Access-Control-Allow-Origin", "https://shop.example");
    bothAre(container, SETS_HEADERS, cors, "Access-Control-Allow-Credentials", "true");
    bothAre(container, SETS_HEADERS, cors, "Access-Control-Expose-Headers", "Location");
  }
}
