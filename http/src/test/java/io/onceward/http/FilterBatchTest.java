package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Something in front makes several requests of one, each with a key and a body of its own. */
class FilterBatchTest {
  /** One of the several. */
  private record Operation(String key, String body) {}

  /** How it comes to the filter. */
  private interface Way {
    void take(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException;
  }

  private static final Way FORWARD =
      (request, response, chain) ->
          request.getRequestDispatcher("/operation").forward(request, response);

  private static final Way CHAIN = (request, response, chain) -> chain.doFilter(request, response);

  private final List<String> done = Collections.synchronizedList(new ArrayList<>());

  private Served.Setup each(Way way, Operation... operations) {
    Filter batch =
        (request, response, chain) -> {
          if (request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
            return;
          }
          for (Operation operation : operations) {
            way.take(
                new OneOf((HttpServletRequest) request, operation),
                new Kept((HttpServletResponse) response),
                chain);
          }
        };
    return new Served.Setup()
        .between(batch)
        .handler(
            (request, response, run) ->
                done.add(
                    new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8)));
  }

  private void sendTwice(Served served) throws Exception {
    for (int copy = 0; copy < 2; copy++) {
      served.send(served.request("/batch").POST(java.net.http.HttpRequest.BodyPublishers.noBody()));
    }
  }

  @OnEachServer
  void eachRequestOfABatchHasItsOwnBody(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            any -> any,
            each(FORWARD, new Operation("k1", "pay 1"), new Operation("k2", "pay 2")))) {
      sendTwice(served);
      assertThat(done).containsExactly("pay 1", "pay 2");
    }
  }

  @OnEachServer
  void aRequestWithoutAKeyLetsNoOtherPass(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            any -> any,
            each(FORWARD, new Operation(null, "look"), new Operation("k2", "pay 2")))) {
      sendTwice(served);
      assertThat(done).containsExactly("look", "pay 2", "look");
    }
  }

  /** Tomcat's chain goes on behind all filters the second time; no filter can be asked. */
  @Test
  void eachRequestThroughAChainHasItsOwnBody() throws Exception {
    try (Served served =
        Served.by(
            Container.JETTY,
            any -> any,
            each(
                CHAIN,
                new Operation("k1", "pay 1"),
                new Operation(null, "look"),
                new Operation("k2", "pay 2")))) {
      sendTwice(served);
      assertThat(done).containsExactly("pay 1", "look", "pay 2", "look");
    }
  }

  /** It is refused: nobody can read it again, and the body of the first is another. */
  @Test
  void aRequestThatWasReadAsTextDoesNotGetTheBodyOfAnother() throws Exception {
    Way secondAsText =
        (request, response, chain) ->
            chain.doFilter(
                "k2".equals(request.getHeader(KeyHeader.NAME)) ? new ReadAsText(request) : request,
                response);
    try (Served served =
        Served.by(
            Container.JETTY,
            any -> any,
            each(secondAsText, new Operation("k1", "pay 1"), new Operation("k2", "pay 2")))) {
      sendTwice(served);
      assertThat(done).containsExactly("pay 1");
    }
  }

  private static final class ReadAsText extends HttpServletRequestWrapper {
    ReadAsText(HttpServletRequest request) {
      super(request);
    }

    @Override
    public ServletInputStream getInputStream() {
      throw new IllegalStateException("getReader() was called for this request");
    }
  }

  private static final class OneOf extends HttpServletRequestWrapper {
    private final Operation operation;
    private final BodyStream body;

    OneOf(HttpServletRequest request, Operation operation) {
      super(request);
      this.operation = operation;
      body = new BodyStream(operation.body().getBytes(StandardCharsets.UTF_8), any -> {});
    }

    @Override
    public String getHeader(String name) {
      return name.equals(KeyHeader.NAME) ? operation.key() : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return name.equals(KeyHeader.NAME) && operation.key() != null
          ? Collections.enumeration(List.of(operation.key()))
          : super.getHeaders(name);
    }

    @Override
    public long getContentLengthLong() {
      return operation.body().length();
    }

    @Override
    public ServletInputStream getInputStream() {
      return body;
    }

    @Override
    public BufferedReader getReader() {
      throw new IllegalStateException("not needed");
    }
  }

  /** What is answered to one of several is not yet an answer to all. */
  private static final class Kept extends HttpServletResponseWrapper {
    Kept(HttpServletResponse response) {
      super(response);
    }

    @Override
    public boolean isCommitted() {
      return false;
    }

    @Override
    public void resetBuffer() {}

    @Override
    public void flushBuffer() {}

    @Override
    public void setContentLength(int length) {}

    /** Tomcat closes it after a forward, and would answer the whole with that. */
    @Override
    public PrintWriter getWriter() {
      return new PrintWriter(getOutputStream(), false, StandardCharsets.UTF_8);
    }

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
}
