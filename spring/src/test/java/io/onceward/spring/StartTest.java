package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.guard.MemoryStore;
import io.onceward.testpostgres.PostgresServer;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.multipart.MultipartFile;

/** What would not hold is told when the application starts, not when a payment is doubled. */
class StartTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Empty {}

  /** Without a database, a web or anything else: enough to look at methods. */
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(OncewardAutoConfiguration.class)
  static class Bare {}

  static class Rich extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final int balance;

    Rich(int balance) {
      this.balance = balance;
    }
  }

  @Import(Bare.class)
  static class FinalMethod {
    @Once(key = "#a")
    public final String pay(String a) {
      return a;
    }
  }

  @Import(Bare.class)
  static class Later {
    @Once(key = "#a")
    public CompletableFuture<String> pay(String a) {
      return CompletableFuture.completedFuture(a);
    }
  }

  @Import(Bare.class)
  static class Reactive {
    @Once(key = "#a")
    public Flow.Publisher<String> pay(String a) {
      return subscriber -> subscriber.onComplete();
    }
  }

  @Import(Bare.class)
  static class Upload {
    @Once(key = "#a")
    public String pay(String a, InputStream file) {
      return a;
    }
  }

  @Import(Bare.class)
  static class Multipart {
    @Once(key = "#a")
    public String pay(String a, MultipartFile file) {
      return a;
    }
  }

  @Import(Bare.class)
  static class Anything {
    @Once(key = "#a")
    public Object pay(String a) {
      return a;
    }
  }

  @Import(Bare.class)
  static class RichError {
    @Once(key = "#a", businessErrors = Rich.class)
    public String pay(String a) {
      return a;
    }
  }

  @Import(Bare.class)
  static class BothMeanings {
    @Once(
        key = "#a",
        businessErrors = IllegalStateException.class,
        didNotHappen = IllegalStateException.class)
    public String pay(String a) {
      return a;
    }
  }

  @Import(Bare.class)
  static class NoKey {
    @Once
    public String pay(String a) {
      return a;
    }
  }

  @Import(Bare.class)
  static class BadExpression {
    @Once(key = "#a..b")
    public String pay(String a) {
      return a;
    }
  }

  /** As Kotlin compiles {@code suspend fun pay(a: String): String}. */
  @Import(Bare.class)
  static class Suspending {
    @Once(key = "#a")
    public Object pay(String a, kotlin.coroutines.Continuation<? super String> completion) {
      return a;
    }
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(FinalMethod.class, "private, static or final"),
        Arguments.of(Later.class, "not whole when the method returns"),
        Arguments.of(Reactive.class, "not whole when the method returns"),
        Arguments.of(Upload.class, "can be read only once"),
        Arguments.of(Multipart.class, "can be read only once"),
        Arguments.of(Anything.class, "Name the type"),
        Arguments.of(Suspending.class, "it is a suspend function"),
        Arguments.of(RichError.class, "has the field balance"),
        Arguments.of(BothMeanings.class, "cannot be both"),
        Arguments.of(NoKey.class, "it names no key"),
        Arguments.of(BadExpression.class, "is no expression"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMethodThatCannotBeGuardedStopsTheApplication(Class<?> application, String told) {
    assertThatThrownBy(() -> Running.withoutWeb(application).close())
        .hasStackTraceContaining("@Once on " + application.getSimpleName() + ".pay")
        .hasStackTraceContaining(told);
  }

  @Test
  void aSettingThatMakesNoSenseStopsTheApplication() {
    assertThatThrownBy(() -> Running.withoutWeb(Bare.class, "onceward.lease=-1s").close())
        .hasStackTraceContaining("onceward.lease");
    assertThatThrownBy(() -> Running.withoutWeb(Bare.class, "onceward.store=jdbc").close())
        .hasStackTraceContaining("there is no data source");
  }

  @Import(Bare.class)
  static class OwnMemory {
    @Bean
    MemoryStore mine() {
      return MemoryStore.builder().build();
    }
  }

  /** A store for code of the application's own must not take the place of the one that is named. */
  @Test
  void aStoreOfTheApplicationsOwnDoesNotTakeThePlaceOfTheDatabaseThatIsNamed() {
    assertThatThrownBy(() -> Running.withoutWeb(OwnMemory.class, "onceward.store=jdbc").close())
        .hasStackTraceContaining("a ClaimStore of its own, MemoryStore");
  }

  @Test
  void aDatabaseWithoutTheTablesStopsTheApplicationAndSaysWhatToDo() {
    assertThatThrownBy(
            () -> Running.onPostgres(PostgresServer.shared().freshDatabase(), Empty.class).close())
        .hasStackTraceContaining("the database lacks the table onceward_");
    String advice =
        new UnfitDatabaseAnalyzer()
            .analyze(new UnfitDatabaseException("x", new IllegalStateException()))
            .getAction();
    assertThat(advice).contains("onceward.jdbc.create-schema=true", "onceward.store=memory");
  }

  @Import(Empty.class)
  static class ReadOnly {
    @Once(key = "#a")
    @Transactional(readOnly = true)
    public String pay(String a) {
      return a;
    }
  }

  @Import(Empty.class)
  static class Apart {
    @Once(key = "#a")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public String pay(String a) {
      return a;
    }
  }

  @Test
  void aTransactionThatCannotHoldTheClaimStopsTheApplication() {
    assertThatThrownBy(() -> Running.onPostgres(ReadOnly.class).close())
        .hasStackTraceContaining("read-only");
    assertThatThrownBy(() -> Running.onPostgres(Apart.class).close())
        .hasStackTraceContaining("keeps its writes out of the transaction");
  }

  /** Can be written as JSON, and not be read back. */
  interface Shape {
    int corners();
  }

  record Triangle(int corners) implements Shape {}

  @Import(BankApplication.class)
  static class Unreadable {
    private final BankApplication.Ledger ledger;

    Unreadable(BankApplication.Ledger ledger) {
      this.ledger = ledger;
    }

    @Once(key = "#a")
    public Shape pay(String a) {
      ledger.book(new BankApplication.Order(a, java.math.BigDecimal.ONE));
      return new Triangle(3);
    }
  }

  @Test
  void aReturnValueThatCannotBeReadBackIsToldByTheFirstCallAndLeavesNoEffect() {
    try (Running app = Running.onPostgres(Unreadable.class)) {
      assertThatThrownBy(() -> app.bean(Unreadable.class).pay("k"))
          .hasMessageContaining("what it answers cannot be kept for a retry");
      assertThat(app.count("booking")).isZero();
      assertThat(app.count("onceward_request")).isZero();
    }
  }
}
