package io.onceward.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the page of commands, from top to bottom, and looks at what is printed. */
class ReadmeTest {
  private static final Pattern STEP =
      Pattern.compile("```sh\n(.*?)```\n\n```\n(.*?)```\n", Pattern.DOTALL);

  private record Step(String commands, List<String> expected) {}

  @Test
  void everyCommandOfThePagePrintsWhatThePageSays() throws Exception {
    List<Step> steps = steps(Files.readString(Path.of("README.md")));
    assertThat(steps).hasSize(9);
    try (ConfigurableApplicationContext context =
        SpringApplication.run(PaymentsApplication.class, "--server.port=0", "--provider.port=0")) {
      String port = context.getEnvironment().getRequiredProperty("local.server.port");
      int provider = context.getBean(FakeProvider.class).port();
      for (Step step : steps) {
        String printed =
            run(
                step.commands()
                    .replace("localhost:8080", "127.0.0.1:" + port)
                    .replace("localhost:8081", "127.0.0.1:" + provider));
        assertThat(printed).as(step.commands()).containsPattern(inThisOrder(step.expected()));
      }
    }
  }

  private static List<Step> steps(String page) {
    List<Step> steps = new ArrayList<>();
    Matcher matcher = STEP.matcher(page);
    while (matcher.find()) {
      steps.add(new Step(matcher.group(1), matcher.group(2).lines().toList()));
    }
    return steps;
  }

  private static Pattern inThisOrder(List<String> lines) {
    StringBuilder all = new StringBuilder();
    for (String line : lines) {
      all.append(all.isEmpty() ? "" : ".*?");
      String[] parts = line.split("…", -1);
      for (int i = 0; i < parts.length; i++) {
        all.append(i == 0 ? "" : ".+?").append(Pattern.quote(parts[i]));
      }
    }
    return Pattern.compile(all.toString(), Pattern.DOTALL);
  }

  private static String run(String commands) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("sh", "-c", commands).redirectErrorStream(true).start();
    shell.getOutputStream().close();
    String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as("the shell, which needs curl, said: " + printed).isZero();
    return printed;
  }
}
