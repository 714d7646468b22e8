package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(30)
@EnabledOnOs(OS.LINUX)
class LeashTest {

  /** What the kernel says the process is doing; T means stopped. */
  private static char state(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  @Test
  void pausesUntilItIsLetGo() throws IOException {
    Process process = new ProcessBuilder("cat").start();
    try {
      Leash leash = Leash.on(process.pid());
      // The signal is on its way when the leash is on; the test's time limit ends a vain wait.
      while (state(process.pid()) != 'T') {
        Thread.onSpinWait();
      }

      leash.close();

      process.getOutputStream().write("on\n".getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      assertThat(
              new BufferedReader(
                      new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                  .readLine())
          .isEqualTo("on");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aProcessThatIsGoneCannotBePaused() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();

    assertThatThrownBy(() -> Leash.on(process.pid()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be paused");
  }
}
