package io.onceward.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.PortInUseException;

class CommandLineTest {
  @Test
  void helpStartsNothing() {
    for (String word : new String[] {"--help", "-h"}) {
      assertThat(PaymentsApplication.answerTo(word))
          .contains("--server.port=N", "--provider.port=N");
    }
  }

  @Test
  void aWordThatIsNoOptionIsRefused() {
    assertThat(PaymentsApplication.answerTo("8090")).contains("unexpected: 8090");
  }

  @Test
  void optionsStartTheApplication() {
    assertThat(PaymentsApplication.answerTo("--server.port=8090")).isEmpty();
    assertThat(PaymentsApplication.answerTo()).isEmpty();
  }

  @Test
  void aPortOfTheProviderThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> FakeProvider.start(taken.getLocalPort()))
          .isInstanceOf(PortInUseException.class)
          .hasMessageContaining(String.valueOf(taken.getLocalPort()));
    }
  }
}
