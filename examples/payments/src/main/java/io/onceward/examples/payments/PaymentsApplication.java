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
  public static void main(String[] arguments) {
    ConfigurableApplicationContext context =
        SpringApplication.run(PaymentsApplication.class, arguments);
    System.out.println(
        "Payments on http://localhost:"
            + context.getEnvironment().getProperty("local.server.port")
            + ", the provider's books on http://localhost:"
            + context.getBean(FakeProvider.class).port()
            + "/charges. Ctrl-C ends it.");
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
