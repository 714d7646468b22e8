package io.onceward.http;

import io.onceward.guard.Ruling;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Writes the answers that do not come from the application: replays and problems. */
final class Answers {
  private Answers() {}

  /** What a copy of the request is told that did not run itself. */
  static void write(HttpServletResponse response, Ruling ruling, int mismatchStatus)
      throws IOException {
    if (ruling instanceof Ruling.Replied replied) {
      StoredResponse stored = StoredResponse.in(replied.reply());
      if (stored != null) {
        replay(response, stored);
        return;
      }
    }
    write(response, Problem.of(ruling, mismatchStatus));
  }

  private static void replay(HttpServletResponse response, StoredResponse stored)
      throws IOException {
    response.setStatus(stored.status());
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (StoredResponse.Header header : stored.headers()) {
      boolean first = names.add(header.name());
      if (header.name().equalsIgnoreCase("Content-Type")) {
        response.setContentType(header.value());
      } else if (first) {
        // In place of what filters in front have set: it is part of what is remembered.
        response.setHeader(header.name(), header.value());
      } else {
        response.addHeader(header.name(), header.value());
      }
    }
    response.setHeader(KeyHeader.REPLAYED, "true");
    if (stored.body().length() > 0) {
      body(response, stored.body().toArray());
    }
  }

  static void write(HttpServletResponse response, Problem problem) throws IOException {
    response.setStatus(problem.status());
    response.setContentType(Problem.MEDIA_TYPE);
    if (problem.retryAfterSeconds() > 0) {
      response.setHeader("Retry-After", Long.toString(problem.retryAfterSeconds()));
    }
    body(response, problem.toJson().getBytes(StandardCharsets.UTF_8));
  }

  private static void body(HttpServletResponse response, byte[] bytes) throws IOException {
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
