package io.onceward.spring;

import io.onceward.testpostgres.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** A Spring Boot application at work, on a port and, if it wants one, a database of its own. */
final class Running implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final ConfigurableApplicationContext context;

  private Running(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** On a fresh database, with the tables made at the start. */
  static Running onPostgres(Class<?> application, String... properties) {
    return onPostgres(
        PostgresServer.shared().freshDatabase(),
        application,
        with(properties, "onceward.jdbc.create-schema=true"));
  }

  static Running onPostgres(
      PGSimpleDataSource database, Class<?> application, String... properties) {
    return start(
        application,
        WebApplicationType.SERVLET,
        with(
            properties,
            "spring.datasource.url=" + database.getURL(),
            "spring.datasource.username=postgres",
            "spring.datasource.hikari.maximum-pool-size=4"));
  }

  static Running withoutDatabase(Class<?> application, String... properties) {
    return start(application, WebApplicationType.SERVLET, without(properties));
  }

  static Running withoutWeb(Class<?> application, String... properties) {
    return start(application, WebApplicationType.NONE, without(properties));
  }

  private static String[] without(String... properties) {
    return with(
        properties,
        "spring.autoconfigure.exclude="
            + (isBoot4()
                ? "org.springframework.boot.jdbc.autoconfigure"
                : "org.springframework.boot.autoconfigure.jdbc")
            + ".DataSourceAutoConfiguration");
  }

  static boolean isBoot4() {
    return org.springframework.boot.SpringBootVersion.getVersion().startsWith("4.");
  }

  private static Running start(
      Class<?> application, WebApplicationType type, String... properties) {
    return new Running(
        new SpringApplicationBuilder(application)
            .web(type)
            .properties(
                with(
                    properties,
                    "server.port=0",
                    "server.address=127.0.0.1",
                    "spring.main.banner-mode=off",
                    "spring.jmx.enabled=false",
                    "management.endpoints.web.exposure.include=*",
                    "management.endpoint.health.show-details=always",
                    "management.endpoint.health.probes.enabled=true"))
            .run());
  }

  private static String[] with(String[] first, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.addAll(List.of(first));
    return all.toArray(new String[0]);
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  int count(String table) {
    Integer count =
        bean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM " + table, Integer.class);
    return count == null ? 0 : count;
  }

  HttpResponse<String> get(String path) throws Exception {
    return CLIENT.send(request(path).GET().build(), BodyHandlers.ofString());
  }

  /** Posts JSON; the key may be null. */
  HttpResponse<String> post(String path, String key, String json) throws Exception {
    return CLIENT.send(posting(path, key, json), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> postAsync(String path, String key, String json) {
    return CLIENT.sendAsync(posting(path, key, json), BodyHandlers.ofString());
  }

  private HttpRequest posting(String path, String key, String json) {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json));
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    return request.build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create(
            "http://127.0.0.1:"
                + context.getEnvironment().getProperty("local.server.port")
                + path));
  }

  @Override
  public void close() {
    context.close();
  }
}
