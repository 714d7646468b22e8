package io.onceward.examples.payments;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.testpostgres.PostgresServer;
import java.io.IOException;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Starts the example, with a PostgreSQL and a payment provider of its own. */
@SpringBootApplication(proxyBeanMethods = false)
public class PaymentsApplication {
  private static final int BAD_ARGUMENTS = 2;

  private static final String USAGE =
      """
      onceward example payments [--server.port=N] [--provider.port=N] [--SETTING=VALUE ...]

      Starts a Spring Boot application, and for it a PostgreSQL and a payment provider, which end
      with it. examples/payments/README.md is a page of commands to try on it.

        --server.port=N    where the application listens on loopback (default 8080)
        --provider.port=N  where the provider shows its books (default 8081)
        --SETTING=VALUE    any other setting of Spring Boot or of Onceward (docs/spring.md)
        --help             prints this
      """;

  public static void main(String[] arguments) {
    String answer = answerTo(arguments);
    if (!answer.isEmpty()) {
      boolean helps = answer.equals(USAGE);
      (helps ? System.out : System.err).print(answer);
      System.exit(helps ? 0 : BAD_ARGUMENTS);
    }
    ConfigurableApplicationContext context =
        SpringApplication.run(PaymentsApplication.class, arguments);
    System.out.println(
        "Payments on http://localhost:"
            + context.getEnvironment().getProperty("local.server.port")
            + ", the provider's books on http://localhost:"
            + context.getBean(FakeProvider.class).port()
            + "/charges. Ctrl-C ends it.");
  }

  /** What is said instead of starting; empty if these start the application. */
  static String answerTo(String... arguments) {
    for (String argument : arguments) {
      if (argument.equals("--help") || argument.equals("-h")) {
        return USAGE;
      }
      if (!argument.startsWith("--")) {
        return "onceward example payments: unexpected: " + argument + "; --help says more\n";
      }
    }
    return "";
  }

  /** Gone when the example ends, with all that it remembered. */
  @Bean(destroyMethod = "close")
  static PostgresServer postgres() {
    return PostgresServer.start(Map.of());
  }

  @Bean
  static HikariDataSource dataSource(PostgresServer postgres) {
    HikariDataSource source = new HikariDataSource();
    source.setDataSource(postgres.database("postgres"));
    return source;
  }

  @Bean(destroyMethod = "close")
  static FakeProvider provider(@Value("${provider.port}") int port) throws IOException {
    return FakeProvider.start(port);
  }
}
