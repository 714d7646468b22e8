package io.onceward.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceward.testpostgres.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
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
        Server.TOMCAT,
        with(
            properties,
            "spring.datasource.url=" + database.getURL(),
            "spring.datasource.username=postgres",
            "spring.datasource.hikari.maximum-pool-size=4"));
  }

  static Running withoutDatabase(Class<?> application, String... properties) {
    return start(application, Server.TOMCAT, without(properties));
  }

  static Running withoutWeb(Class<?> application, String... properties) {
    return start(application, null, without(properties));
  }

  private static String[] without(String... properties) {
    return with(properties, excluding(Part.values()));
  }

  /** The container that answers web requests. */
  enum Server {
    TOMCAT("web.embedded.tomcat.Tomcat", "tomcat.servlet.Tomcat"),
    JETTY("web.embedded.jetty.Jetty", "jetty.servlet.Jetty");

    private final String boot3;
    private final String boot4;

    Server(String boot3, String boot4) {
      this.boot3 = boot3;
      this.boot4 = boot4;
    }

    private void useIn(ConfigurableApplicationContext context) {
      String name =
          "org.springframework.boot." + (isBoot4() ? boot4 : boot3) + "ServletWebServerFactory";
      try {
        ((BeanDefinitionRegistry) context)
            .registerBeanDefinition("server", new RootBeanDefinition(Class.forName(name)));
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** In memory, behind this server. */
  static Running behind(Server server, Class<?> application, String... properties) {
    return start(application, server, without(properties));
  }

  /** What is on the class path of all tests, and in the application only where it is the matter. */
  enum Part {
    DATABASE(
        "jdbc.DataSourceAutoConfiguration", "boot.jdbc.autoconfigure.DataSourceAutoConfiguration"),
    JPA(
        "orm.jpa.HibernateJpaAutoConfiguration",
        "boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"),
    JPA_REPOSITORIES(
        "data.jpa.JpaRepositoriesAutoConfiguration",
        "boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration"),
    SECURITY(
        "security.servlet.SecurityAutoConfiguration",
        "boot.security.autoconfigure.SecurityAutoConfiguration"),
    SECURITY_OF_THE_WEB(
        "security.servlet.SecurityFilterAutoConfiguration",
        "boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration"),
    SECURITY_OF_USERS(
        "security.servlet.UserDetailsServiceAutoConfiguration",
        "boot.security.autoconfigure.UserDetailsServiceAutoConfiguration"),
    SECURITY_OF_MANAGEMENT(
        "actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration",
        "boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration");

    private final String boot3;
    private final String boot4;

    Part(String boot3, String boot4) {
      this.boot3 = (boot3.startsWith("actuate") ? "boot." : "boot.autoconfigure.") + boot3;
      this.boot4 = boot4;
    }

    @Override
    public String toString() {
      return "org.springframework." + (isBoot4() ? boot4 : boot3);
    }
  }

  /** The setting that keeps these out. */
  static String excluding(Part... parts) {
    return "spring.autoconfigure.exclude="
        + String.join(",", Stream.of(parts).map(Part::toString).toList());
  }

  private static String excludingAllBut(Part kept) {
    return excluding(
        Stream.of(Part.values())
            .filter(part -> part != kept && part != Part.DATABASE)
            .toArray(Part[]::new));
  }

  /** As {@link #onPostgres}, in an application that has JPA. */
  static Running onJpa(PGSimpleDataSource database, Class<?> application) {
    return onPostgres(
        database,
        application,
        with(
            new String[0],
            "onceward.jdbc.create-schema=true",
            excludingAllBut(Part.JPA),
            "spring.jpa.hibernate.ddl-auto=create",
            "spring.jpa.open-in-view=true"));
  }

  /** Without web, on a database that has the tables; with JPA or without. */
  static Running withoutWebOn(
      PGSimpleDataSource database, boolean jpa, Class<?> application, String... properties) {
    return start(
        application,
        null,
        with(
            properties,
            excludingAllBut(jpa ? Part.JPA : Part.DATABASE),
            "spring.jpa.hibernate.ddl-auto=none",
            "spring.datasource.url=" + database.getURL(),
            "spring.datasource.username=postgres",
            "spring.datasource.hikari.maximum-pool-size=4"));
  }

  /** As {@link #onPostgres}, in an application that has Spring Security. */
  static Running secured(Class<?> application, String... properties) {
    return onPostgres(application, with(properties, excluding(Part.JPA, Part.JPA_REPOSITORIES)));
  }

  static boolean isBoot4() {
    return org.springframework.boot.SpringBootVersion.getVersion().startsWith("4.");
  }

  /**
   * @param server null for no web at all
   */
  private static Running start(Class<?> application, Server server, String... properties) {
    return new Running(
        new SpringApplicationBuilder(application)
            .web(server == null ? WebApplicationType.NONE : WebApplicationType.SERVLET)
            .initializers(
                (ApplicationContextInitializer<ConfigurableApplicationContext>)
                    context -> {
                      if (server != null) {
                        server.useIn(context);
                      }
                    })
            .properties(
                with(
                    properties,
                    excludingAllBut(Part.DATABASE),
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

  <T> T bean(String name, Class<T> type) {
    return context.getBean(name, type);
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
    return CLIENT.send(posting(path, key, json).build(), BodyHandlers.ofString());
  }

  /** Posts JSON for an answer in bytes; headers come as name, value, name … */
  HttpResponse<byte[]> exchange(String path, String key, String json, String... headers)
      throws Exception {
    HttpRequest.Builder request = posting(path, key, json);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofByteArray());
  }

  /** Posts JSON in the name of somebody whose password is his name. */
  HttpResponse<String> postAs(String user, String path, String key, String json) throws Exception {
    String word = Base64.getEncoder().encodeToString((user + ":" + user).getBytes(UTF_8));
    return CLIENT.send(
        posting(path, key, json).header("Authorization", "Basic " + word).build(),
        BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> postAsync(String path, String key, String json) {
    return CLIENT.sendAsync(posting(path, key, json).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder posting(String path, String key, String json) {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json));
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    return request;
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
