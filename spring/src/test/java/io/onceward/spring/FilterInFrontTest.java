package io.onceward.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.GuardListener;
import io.onceward.spring.ShopApplication.CardProvider;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.view.InternalResourceView;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Requests that a filter of the application, in front of this one, has suspended or forwarded: each
 * is claimed by the method or by the filter, and never by both.
 */
class FilterInFrontTest {
  private static final String ORDER = "{\"order\":\"1\",\"cents\":5}";

  /** What the path or the query ask for happens before anything else sees the request. */
  record InFront(List<String> pathsAfterwards) implements Filter {
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      HttpServletRequest http = (HttpServletRequest) request;
      String path = http.getRequestURI();
      if ("throttled".equals(http.getQueryString()) && http.getAttribute("has waited") == null) {
        http.setAttribute("has waited", true);
        AsyncContext async = http.startAsync();
        async.start(async::dispatch);
      } else if (path.startsWith("/v1/")) {
        http.getRequestDispatcher(path.substring(3)).forward(request, response);
      } else if (path.startsWith("/parsed/")) {
        // As Spring's own filters in front do, for whom the path is parsed before the dispatcher.
        ServletRequestPathUtils.parseAndCache(http);
        http.getRequestDispatcher(path.substring(7)).forward(request, response);
        pathsAfterwards.add(ServletRequestPathUtils.getParsedRequestPath(http).value());
      } else if (path.equals("/both")) {
        byte[] body = http.getInputStream().readAllBytes();
        for (String each : List.of("/charges", "/raw")) {
          http.getRequestDispatcher(each)
              .forward(new OneOf(http, body), new Unanswered((HttpServletResponse) response));
        }
      } else if (path.startsWith("/too-many/")) {
        ((HttpServletResponse) response).sendError(429);
      } else {
        chain.doFilter(request, response);
      }
    }
  }

  /** A part of a request, with the body of the whole. */
  private static final class OneOf extends HttpServletRequestWrapper {
    private final ByteArrayInputStream body;

    OneOf(HttpServletRequest request, byte[] body) {
      super(request);
      this.body = new ByteArrayInputStream(body);
    }

    @Override
    public ServletInputStream getInputStream() {
      return new ServletInputStream() {
        @Override
        public int read() {
          return body.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
          return body.read(bytes, offset, length);
        }

        @Override
        public boolean isFinished() {
          return body.available() == 0;
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
          throw new IllegalStateException("not needed");
        }
      };
    }
  }

  /** What is answered to a part is not yet an answer to the whole. */
  private static final class Unanswered extends HttpServletResponseWrapper {
    Unanswered(HttpServletResponse response) {
      super(response);
    }

    @Override
    public boolean isCommitted() {
      return false;
    }

    @Override
    public void setContentLength(int length) {}

    @Override
    public void setContentLengthLong(long length) {}

    @Override
    public void resetBuffer() {}

    @Override
    public void flushBuffer() {}

    @Override
    public ServletOutputStream getOutputStream() {
      return new ServletOutputStream() {
        @Override
        public void write(int b) {}

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new IllegalStateException("not needed");
        }
      };
    }
  }

  @RestController
  static class Explaining {
    @RequestMapping("/explained")
    String explained() {
      return "come back later";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({ShopApplication.class, Explaining.class})
  static class Fronted {
    final List<String> claimed = new CopyOnWriteArrayList<>();
    final List<String> pathsAfterwards = new CopyOnWriteArrayList<>();

    @Bean
    FilterRegistrationBean<InFront> inFront() {
      FilterRegistrationBean<InFront> registration =
          new FilterRegistrationBean<>(new InFront(pathsAfterwards));
      registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
      registration.setAsyncSupported(true);
      registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
      return registration;
    }

    @Bean
    GuardListener whoClaims() {
      return (ask, ruling, nanos) -> claimed.add(ask.operation());
    }

    /** An error page that is forwarded to, as a JSP is. */
    @Bean(name = "error")
    View errorPage() {
      return new InternalResourceView("/explained");
    }
  }

  private static Running behind(Running.Server server) {
    return Running.behind(
        server,
        Fronted.class,
        "onceward.http.routes[0].pattern=POST /raw",
        "onceward.http.routes[0].key-required=true",
        "onceward.http.routes[1].pattern=POST /explained",
        "onceward.http.routes[1].key-required=true",
        "onceward.http.routes[2].pattern=POST /**");
  }

  private static void takesEffectOnceByItsMethod(Running.Server server, String path)
      throws Exception {
    try (Running app = behind(server)) {
      takesEffectOnceByItsMethod(app, path);
    }
  }

  private static void takesEffectOnceByItsMethod(Running app, String path) throws Exception {
    HttpResponse<String> first = app.post(path, "k", ORDER);
    HttpResponse<String> retry = app.post(path, "k", ORDER);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.headers().allValues("Idempotent-Replayed")).isEmpty();
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(retry.headers().allValues("Idempotent-Replayed")).containsExactly("true");
    assertThat(app.bean(CardProvider.class).charges).hasSize(1);
    assertThat(app.bean(Fronted.class).claimed).containsExactly("charge", "charge");
  }

  private static void takesEffectOnceByTheFilter(Running.Server server, String path)
      throws Exception {
    try (Running app = behind(server)) {
      HttpResponse<String> first = app.post(path, "k", "one");
      HttpResponse<String> retry = app.post(path, "k", "one");

      assertThat(first.body()).isEqualTo("1 one");
      assertThat(first.headers().allValues("Idempotent-Replayed")).isEmpty();
      assertThat(retry.body()).isEqualTo("1 one");
      assertThat(retry.headers().allValues("Idempotent-Replayed")).containsExactly("true");
      assertThat(app.post(path, null, "one").statusCode()).isEqualTo(400);
      assertThat(app.bean(Fronted.class).claimed).containsExactly("POST /raw", "POST /raw");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMethodClaimsOnceWhatWasSuspendedBefore(Running.Server server) throws Exception {
    takesEffectOnceByItsMethod(server, "/charges?throttled");
  }

  @ParameterizedTest
  @EnumSource
  void aMethodClaimsOnceWhatWasForwardedBefore(Running.Server server) throws Exception {
    takesEffectOnceByItsMethod(server, "/v1/charges");
  }

  @ParameterizedTest
  @EnumSource
  void aMethodClaimsOnceWhatWasSuspendedAndForwardedBefore(Running.Server server) throws Exception {
    takesEffectOnceByItsMethod(server, "/v1/charges?throttled");
  }

  /** The path that counts is the one forwarded to; who forwarded finds its own again. */
  @ParameterizedTest
  @EnumSource
  void aMethodClaimsOnceWhatWasParsedAndForwardedBefore(Running.Server server) throws Exception {
    try (Running app = behind(server)) {
      takesEffectOnceByItsMethod(app, "/parsed/charges");
      Eventually.until(() -> app.bean(Fronted.class).pathsAfterwards.size() == 2);
      assertThat(app.bean(Fronted.class).pathsAfterwards).containsOnly("/parsed/charges");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theFilterClaimsOnceWhatWasSuspendedBefore(Running.Server server) throws Exception {
    takesEffectOnceByTheFilter(server, "/raw?throttled");
  }

  @ParameterizedTest
  @EnumSource
  void theFilterClaimsOnceWhatWasForwardedBefore(Running.Server server) throws Exception {
    takesEffectOnceByTheFilter(server, "/v1/raw");
  }

  /** The one part passes by the filter, as its method claims; the other does not therefore. */
  @ParameterizedTest
  @EnumSource
  void eachPartOfARequestIsClaimedOnceByWhomItBelongsTo(Running.Server server) throws Exception {
    try (Running app = behind(server)) {
      for (int copy = 0; copy < 2; copy++) {
        app.post("/both", "k", ORDER);
        // Tomcat answers when the first part is through.
        int claims = 2 * (copy + 1);
        Eventually.until(() -> app.bean(Fronted.class).claimed.size() == claims);
      }
      assertThat(app.bean(Fronted.class).claimed)
          .containsExactly("charge", "POST /raw", "charge", "POST /raw");
      assertThat(app.bean(CardProvider.class).charges).hasSize(1);
    }
  }

  /** It explains what went wrong with a request; it is not the request. */
  @ParameterizedTest
  @EnumSource
  void anErrorPageThatIsForwardedToNeedsNoKeyAndIsNotClaimed(Running.Server server)
      throws Exception {
    try (Running app = behind(server)) {
      HttpResponse<byte[]> refused =
          app.exchange("/too-many/charges", null, ORDER, "Accept", "text/html");
      assertThat(new String(refused.body(), UTF_8)).isEqualTo("come back later");
      assertThat(refused.statusCode()).isEqualTo(429);

      app.exchange("/too-many/charges", "k", ORDER, "Accept", "text/html");
      assertThat(app.bean(Fronted.class).claimed).isEmpty();
    }
  }
}
