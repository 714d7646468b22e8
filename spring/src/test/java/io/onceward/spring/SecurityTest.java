package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.spring.BankApplication.Script;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Who is logged in is part of the identity: nobody is given the answer of somebody else (L3). */
class SecurityTest {
  private static final String ORDER = "{\"account\":\"alice\",\"amount\":10.00}";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({BankApplication.class, ShopApplication.class})
  static class SecuredBank {
    @Bean
    SecurityFilterChain chain(HttpSecurity http) throws Exception {
      return http.csrf(csrf -> csrf.disable())
          .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
          .httpBasic(Customizer.withDefaults())
          .build();
    }

    @Bean
    UserDetailsService users() {
      return new InMemoryUserDetailsManager(
          User.withUsername("alice").password("{noop}alice").roles("USER").build(),
          User.withUsername("bob").password("{noop}bob").roles("USER").build());
    }
  }

  private static Running app;
  private Script script;

  @BeforeAll
  static void start() {
    app = Running.secured(SecuredBank.class, "onceward.http.routes[0].pattern=POST /raw");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void reset() {
    script = app.bean(Script.class);
    script.runs.set(0);
  }

  @Test
  void theSameKeyOfTwoUsersNamesTwoRequests() throws Exception {
    HttpResponse<String> alice = app.postAs("alice", "/payments", "k-1", ORDER);
    HttpResponse<String> bob = app.postAs("bob", "/payments", "k-1", ORDER);
    HttpResponse<String> aliceAgain = app.postAs("alice", "/payments", "k-1", ORDER);

    assertThat(bob.statusCode()).isEqualTo(201);
    assertThat(bob.body()).isNotEqualTo(alice.body());
    assertThat(bob.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(aliceAgain.body()).isEqualTo(alice.body());
    assertThat(aliceAgain.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(script.runs).hasValue(2);
  }

  /** Not even that there is one: another payload under it is no mismatch for anybody else. */
  @Test
  void theKeyOfAnotherUserLooksLikeOneThatDoesNotExist() throws Exception {
    app.postAs("alice", "/payments", "k-2", ORDER);
    HttpResponse<String> other =
        app.postAs("bob", "/payments", "k-2", ORDER.replace("alice", "bob"));

    assertThat(other.statusCode()).isEqualTo(201);
  }

  @Test
  void whoIsNotLoggedInIsNotGivenAReplay() throws Exception {
    app.postAs("alice", "/payments", "k-3", ORDER);

    assertThat(app.post("/payments", "k-3", ORDER).statusCode()).isEqualTo(401);
    assertThat(script.runs).hasValue(1);
  }

  @Test
  void theFilterStandsBehindTheLoginToo() throws Exception {
    HttpResponse<String> alice = app.postAs("alice", "/raw", "k", "one");
    HttpResponse<String> bob = app.postAs("bob", "/raw", "k", "one");

    assertThat(bob.body()).isNotEqualTo(alice.body());
    assertThat(app.postAs("alice", "/raw", "k", "one").body()).isEqualTo(alice.body());
    assertThat(app.post("/raw", "k", "one").statusCode()).isEqualTo(401);
  }
}
