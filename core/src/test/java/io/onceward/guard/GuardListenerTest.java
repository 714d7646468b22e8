package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What wraps listeners passes everything on. */
class GuardListenerTest {
  private static final Ask ASK = new Ask(GuardedId.of(Key.text("k")), null, "charge");

  private static GuardListener into(List<String> heard, String name) {
    return new GuardListener() {
      @Override
      public void ruled(Ask ask, Ruling ruling, long nanos) {
        heard.add(name + " ruled " + ask.operation() + " " + nanos);
        throw new IllegalStateException(name);
      }

      @Override
      public void unknownsPileUp(double share) {
        heard.add(name + " unknowns " + share);
        throw new NoClassDefFoundError(name);
      }
    };
  }

  @Test
  void eachOfSeveralHearsEverything() {
    List<String> heard = new ArrayList<>();
    GuardListener all = GuardListener.all(List.of(into(heard, "one"), into(heard, "two")));
    Thread thread = Thread.currentThread();
    thread.setUncaughtExceptionHandler((any, failure) -> heard.add(failure.getMessage()));
    try {
      all.ruled(ASK, new Ruling.Unknown("lost", null), 7);
      all.unknownsPileUp(0.5);
    } finally {
      thread.setUncaughtExceptionHandler(null);
    }
    assertThat(heard)
        .containsExactly(
            "one ruled charge 7",
            "one",
            "two ruled charge 7",
            "two",
            "one unknowns 0.5",
            "one",
            "two unknowns 0.5",
            "two");
  }

  /** A default that is inherited would swallow what it is told. */
  @Test
  void wrappersForwardEveryMethod() {
    GuardListener one = into(new ArrayList<>(), "one");
    List<String> told =
        Stream.of(GuardListener.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> method.getReturnType() == void.class)
            .map(Method::getName)
            .toList();
    assertThat(told).contains("ruled", "unknownsPileUp");
    for (GuardListener wrapper : List.of(one.neverThrowing(), GuardListener.all(List.of(one)))) {
      assertThat(Stream.of(wrapper.getClass().getDeclaredMethods()).map(Method::getName))
          .containsAll(told);
    }
  }
}
