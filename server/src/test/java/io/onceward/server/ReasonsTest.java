package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class ReasonsTest {
  @Test
  void aHostThatNobodyKnowsIsSaidInWords() {
    String reason = "the host name is unknown";
    assertThat(Reasons.of(new UnresolvedAddressException())).isEqualTo(reason);
    assertThat(Reasons.of(new UnknownHostException("x"))).isEqualTo(reason);
  }

  @Test
  void theFirstCauseOfAFutureIsTheReason() {
    assertThat(Reasons.of(new CompletionException(new IOException("disk full"))))
        .isEqualTo("disk full");
    assertThat(Reasons.of(new IOException())).isEqualTo("IOException");
  }
}
