package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** The first caller of a method inside the application is given what retries are given. */
class ReadBackTest {
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Dog.class, name = "dog"),
    @JsonSubTypes.Type(value = Cat.class, name = "cat")
  })
  interface Animal {}

  record Dog(String name) implements Animal {}

  record Cat(String name) implements Animal {}

  static class Counted {
    public int number;
    private transient String memory = "gone";

    String memory() {
      return memory;
    }
  }

  /** Says another thing each time it was read. */
  static class Drifting {
    private final int number;

    @com.fasterxml.jackson.annotation.JsonCreator
    Drifting(@com.fasterxml.jackson.annotation.JsonProperty("number") int number) {
      this.number = number;
    }

    public int getNumber() {
      return number + 1;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Services.class, Inherited.class})
  static class App {}

  @Component
  static class Services {
    final AtomicInteger runs = new AtomicInteger();

    @Once(key = "#key")
    public Map<String, Object> map(String key) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("at", Instant.parse("2026-11-16T19:37:29Z"));
      map.put("cents", 12345678.9d);
      return map;
    }

    @Once(key = "#key")
    public Counted counted(String key) {
      Counted counted = new Counted();
      counted.number = runs.incrementAndGet();
      counted.memory = "here";
      return counted;
    }

    @Once(key = "#key")
    public Set<String> set(String key) {
      return new LinkedHashSet<>(List.of("z", "a", "m"));
    }

    @Once(key = "#key")
    public List<Animal> animals(String key) {
      return new ArrayList<>(List.of(new Dog("x"), new Cat("x")));
    }

    @Once(key = "#key")
    public ResponseEntity<Animal> entity(String key) {
      return ResponseEntity.ok(new Cat("x"));
    }

    @Once(key = "#key")
    public Drifting drifting(String key) {
      return new Drifting(1);
    }
  }

  abstract static class Base<T> {
    abstract T made();

    @Once(key = "#key")
    public T make(String key) {
      return made();
    }
  }

  @Component
  static class Inherited extends Base<Dog> {
    @Override
    Dog made() {
      return new Dog("rex");
    }
  }

  private static Running app;

  @BeforeAll
  static void start() {
    app = Running.withoutWeb(App.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static Services services() {
    return app.bean(Services.class);
  }

  @Test
  void whatJsonDoesNotHoldIsMissingForTheFirstCallerToo() {
    assertThat(services().map("k")).isEqualTo(services().map("k"));
    assertThat(services().map("k").get("at")).isInstanceOf(String.class);

    Counted first = services().counted("k");
    Counted retry = services().counted("k");
    assertThat(first.memory()).isEqualTo(retry.memory());
    assertThat(first.number).isEqualTo(retry.number);
  }

  @Test
  void whatTheFirstCallerChangesDoesNotReachTheReply() {
    services().counted("changed").number = 99;
    assertThat(services().counted("changed").number).isNotEqualTo(99);
  }

  @Test
  void setsPolymorphicListsAndEntitiesComeBack() {
    for (int copy = 0; copy < 2; copy++) {
      assertThat(services().set("k")).containsExactlyInAnyOrder("a", "m", "z");
      assertThat(services().animals("k")).containsExactly(new Dog("x"), new Cat("x"));
      assertThat(services().entity("k").getBody()).isEqualTo(new Cat("x"));
    }
  }

  @Test
  void aTypeThatAClassBelowNamesComesBack() {
    for (int copy = 0; copy < 2; copy++) {
      Dog dog = app.bean(Inherited.class).make("k");
      assertThat(dog).isEqualTo(new Dog("rex"));
    }
  }

  @Test
  void aValueThatIsWrittenOtherwiseTheSecondTimeIsRefused() {
    assertThatThrownBy(() -> services().drifting("k")).isInstanceOf(RuntimeException.class);
  }
}
