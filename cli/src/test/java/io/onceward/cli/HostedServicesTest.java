package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.services.ServiceDirectory;
import java.io.InputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostedServicesTest {

  /** As small as a service can be. */
  public static final class Echo implements Service {
    @Override
    public Reply execute(Command command) {
      return Reply.ok(command.payload());
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }

  /** Thinks better of it. */
  public static final class Reluctant implements Service {
    public Reluctant() {
      throw new IllegalStateException("not today");
    }

    @Override
    public Reply execute(Command command) {
      return Reply.ok("");
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }

  @Test
  void aServiceOfOnesOwnStandsBesideThoseThatShip() {
    Service services = HostedServices.of(Map.of("echo", Echo.class.getName()));
    Bytes payload = ServiceDirectory.address("echo", Bytes.utf8("hello"));
    assertThat(services.execute(new Command(payload, "anonymous", 1, 0, 0)).bytes().asText())
        .isEqualTo("hello");
    Bytes unknown = ServiceDirectory.address("none", Bytes.utf8("x"));
    assertThat(services.execute(new Command(unknown, "anonymous", 2, 0, 0)).bytes().asText())
        .isEqualTo("there is no service called none");
  }

  @Test
  void aNameThatIsTakenOrWrongIsRefused() {
    assertThatThrownBy(() -> HostedServices.of(Map.of("kv", Echo.class.getName())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is a service called kv already");
    assertThatThrownBy(() -> HostedServices.of(Map.of("My Echo", Echo.class.getName())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("letters a to z");
  }

  @Test
  void aServiceThatThrowsWhenItIsMadeIsNamed() {
    assertThatThrownBy(() -> HostedServices.of(Map.of("r", Reluctant.class.getName())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("service r: ")
        .hasMessageContaining("not today");
  }
}
