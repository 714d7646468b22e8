package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.server.FreePorts;
import io.onceward.server.OncewardServer;
import io.onceward.server.ServerSettings;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Member;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command that is told to end while its request is under way. */
@Timeout(120)
class InterruptedCommandTest {
  @TempDir private Path folder;

  private final CountDownLatch executing = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** The shipped services; the first command takes as long as the test likes. */
  private final class Slow implements Service {
    private final Service services = ServiceDirectory.shipped();

    @Override
    public Reply execute(Command command) {
      executing.countDown();
      try {
        goOn.await();
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
      }
      return services.execute(command);
    }

    @Override
    public Reply query(Command question) {
      return services.query(question);
    }

    @Override
    public Frozen freeze() {
      return services.freeze();
    }

    @Override
    public void restore(InputStream in) throws IOException {
      services.restore(in);
    }
  }

  private static Process start(Member member, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.client());
    command.addAll(JvmFlags.quiet());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put(Connection.VARIABLE, member.clientAddress());
    return builder.start();
  }

  private static String errorsOf(Process process) throws Exception {
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return said.strip();
  }

  @Test
  void theIdOfAnInterruptedRequestIsPrinted() throws Exception {
    Member member = FreePorts.members(1, i -> "a").get(0);
    try (OncewardServer server =
        OncewardServer.start(
            ServerSettings.of(folder.resolve("data"), member, List.of(member)), new Slow())) {
      server.ready().get(30, TimeUnit.SECONDS);
      Process process = start(member, "counter", "add", "hits", "5", "--json", "--deadline", "60s");
      assertThat(executing.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.toHandle().destroy()).isTrue();
      String id = (String) JsonText.object(errorsOf(process)).get("requestId");
      assertThat(process.exitValue()).isEqualTo(143);
      goOn.countDown();
      Shell shell = new Shell().with(Connection.VARIABLE, member.clientAddress());
      assertThat(shell.run("counter", "add", "hits", "5", "--request-id", id).out())
          .isEqualTo("5 (replay)\n");
      assertThat(shell.run("counter", "get", "hits").out()).isEqualTo("5\n");
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void whatWasNotSentIsSaidToBeSo() throws Exception {
    Member nobody = FreePorts.members(1, i -> "a").get(0);
    Process process = start(nobody, "counter", "add", "x", "--verbose", "--deadline", "60s");
    StringBuilder said = new StringBuilder();
    // The id is printed once the command listens for its end.
    while (said.indexOf("request id d:") < 0) {
      int read = process.getErrorStream().read();
      assertThat(read).as(said.toString()).isNotNegative();
      said.append((char) read);
    }
    assertThat(process.toHandle().destroy()).isTrue();
    assertThat(errorsOf(process)).contains("onceward: interrupted; nothing was sent");
  }
}
