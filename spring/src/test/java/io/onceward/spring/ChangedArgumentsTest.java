package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.guard.DidNotHappenException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** A run that meets a deadlock is rolled back, but not what it has made of its arguments. */
class ChangedArgumentsTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Orders.class)
  static class App {}

  @Component
  static class Orders {
    private final JdbcTemplate jdbc;
    private final AtomicInteger runs = new AtomicInteger();

    Orders(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
      jdbc.execute("CREATE TABLE item (name text)");
    }

    AtomicInteger runs() {
      return runs;
    }

    @Once(key = "#key")
    public int order(String key, List<String> items, boolean withFee) {
      if (withFee) {
        items.add("fee");
      }
      items.forEach(item -> jdbc.update("INSERT INTO item VALUES (?)", item));
      if (runs.incrementAndGet() == 1) {
        throw new CannotAcquireLockException("no", new SQLException("deadlock", "40P01"));
      }
      return items.size();
    }
  }

  private static Running app;
  private Orders orders;

  @BeforeAll
  static void start() {
    app = Running.onPostgres(App.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void empty() {
    orders = app.bean(Orders.class);
    orders.runs().set(0);
    app.bean(JdbcTemplate.class).execute("TRUNCATE item, onceward_request CASCADE");
  }

  private static List<String> tea() {
    return new ArrayList<>(List.of("tea"));
  }

  @Test
  void aRunWhoseArgumentsAreTheSameIsRepeated() {
    assertThat(orders.order("k", tea(), false)).isEqualTo(1);
    assertThat(orders.runs()).hasValue(2);
    assertThat(app.count("item")).isEqualTo(1);
  }

  @Test
  void aRunThatHasChangedItsArgumentsIsNotRepeated() {
    List<String> changed = tea();
    assertThatThrownBy(() -> orders.order("k", changed, true))
        .isInstanceOf(DidNotHappenException.class)
        .hasStackTraceContaining("has changed its arguments");
    assertThat(app.count("item") + app.count("onceward_request")).isZero();

    assertThat(orders.order("k", tea(), true)).isEqualTo(2);
    assertThat(app.count("item")).isEqualTo(2);
  }
}
