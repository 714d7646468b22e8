package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OnceTest {
  private static final GuardedId ID = GuardedId.of("tenant", Key.text("order 4711"));
  private static final Fingerprint ONE = new Fingerprint(1);
  private static final Fingerprint TWO = new Fingerprint(2);

  private final AtomicInteger runs = new AtomicInteger();

  private static final class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int code;

    Declined(int code) {
      super("declined with " + code);
      this.code = code;
    }
  }

  private static final class OutOfStock extends Exception {
    private static final long serialVersionUID = 1L;

    OutOfStock(String message) {
      super(message);
    }
  }

  private static Once.Builder<String> once() {
    return Once.inMemory(Codec.text());
  }

  private String count() {
    return "run " + runs.incrementAndGet();
  }

  /** In whole euros: the cents do not come back. */
  private static final Codec<Double> EUROS =
      new Codec<>() {
        @Override
        public Bytes encode(Double value) {
          return Bytes.utf8(Long.toString(Math.round(value)));
        }

        @Override
        public Double decode(Bytes bytes) {
          if (bytes.asText().equals("13")) {
            throw new IllegalArgumentException("thirteen");
          }
          return Double.valueOf(bytes.asText());
        }
      };

  @Test
  void firstCallerGetsWhatRetriesGet() {
    try (Once<Double> once = Once.inMemory(EUROS).build()) {
      assertThat(once.execute(ID, ONE, () -> 7.3)).isEqualTo(7);
      assertThat(once.execute(ID, ONE, () -> 7.3)).isEqualTo(7);
      GuardedId later = GuardedId.of(Key.text("later"));
      assertThat(once.executeAsync(later, ONE, () -> CompletableFuture.completedFuture(7.3)).join())
          .isEqualTo(7);
    }
  }

  @Test
  void resultThatCannotBeReadBackIsFailedForTheFirstCallerToo() {
    try (Once<Double> once = Once.inMemory(EUROS).build()) {
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> once.execute(ID, ONE, () -> 13.0))
            .isInstanceOf(ReplyNotKeptException.class)
            .extracting(e -> ((GuardException) e).executed())
            .isEqualTo(Executed.YES);
      }
    }
  }

  @Test
  void retryGetsTheResultOfTheFirst() {
    try (Once<String> once = once().build()) {
      assertThat(once.execute(ID, ONE, this::count)).isEqualTo("run 1");
      assertThat(once.execute(ID, ONE, this::count)).isEqualTo("run 1");
      Decided<String> third = once.decide(new Ask(ID, ONE, "charge"), run -> count());
      assertThat(third).isEqualTo(new Decided<>("run 1", true));
    }
  }

  @Test
  void firstIsNoReplay() {
    try (Once<String> once = once().build()) {
      assertThat(once.decide(new Ask(ID, null, "charge"), run -> count()))
          .isEqualTo(new Decided<>("run 1", false));
    }
  }

  @Test
  void sameKeyOfAnotherTenantOrPrincipalIsAnotherRequest() {
    try (Once<String> once = once().build()) {
      GuardedId tenant = GuardedId.of("other tenant", ID.key());
      GuardedId principal = new GuardedId("mallory", ID.scope(), ID.key());
      assertThat(once.execute(ID, ONE, this::count)).isEqualTo("run 1");
      assertThat(once.execute(tenant, ONE, this::count)).isEqualTo("run 2");
      assertThat(once.execute(principal, ONE, this::count)).isEqualTo("run 3");
    }
  }

  @Test
  void anotherPayloadUnderTheSameIdIsRefusedAndTold() {
    try (Once<String> once = once().build()) {
      once.execute(ID, ONE, this::count);
      RefusedByGuardException refused =
          catchThrowableOfType(
              RefusedByGuardException.class, () -> once.execute(ID, TWO, this::count));
      assertThat(refused.refusal()).isEqualTo(Refusal.MISMATCH);
      assertThat(refused.executed()).isEqualTo(Executed.NOT_THIS_COPY);
      assertThat(refused.mayResend()).isFalse();
      assertThat(refused.id()).isEqualTo(ID);
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void businessErrorIsReplayedAsTheSameExceptionAndMarked() {
    try (Once<String> once =
        once()
            .businessError(
                Declined.class,
                error -> Bytes.utf8(String.valueOf(error.code)),
                bytes -> new Declined(Integer.parseInt(bytes.asText())))
            .build()) {
      Declined original = new Declined(51);
      Throwable first = catchThrowable(() -> once.execute(ID, ONE, () -> fail(original)));
      assertThat(first).isSameAs(original);
      assertThat(Once.isReplay(first)).isFalse();

      Throwable second = catchThrowable(() -> once.execute(ID, ONE, this::count));
      assertThat(second).isInstanceOf(Declined.class).hasMessage("declined with 51");
      assertThat(Once.isReplay(second)).isTrue();
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void checkedBusinessErrorIsTheCauseOfABusinessErrorException() {
    try (Once<String> once =
        once()
            .businessError(
                OutOfStock.class,
                error -> Bytes.utf8(error.getMessage()),
                bytes -> new OutOfStock(bytes.asText()))
            .build()) {
      for (boolean replay : new boolean[] {false, true}) {
        BusinessErrorException told =
            catchThrowableOfType(
                BusinessErrorException.class,
                () -> once.execute(ID, ONE, () -> fail(new OutOfStock("no apples"))));
        assertThat(told).hasCauseInstanceOf(OutOfStock.class);
        assertThat(told.getCause()).hasMessage("no apples");
        assertThat(told.error()).isEqualTo(Bytes.utf8("no apples"));
        assertThat(told.replay()).isEqualTo(replay);
        assertThat(Once.isReplay(told)).isEqualTo(replay);
        assertThat(told.executed()).isEqualTo(Executed.YES);
      }
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void businessErrorWithoutAMappingIsToldByItsBytes() {
    try (Once<String> once = once().classify(any -> Meaning.BUSINESS_ERROR).build()) {
      for (int i = 0; i < 2; i++) {
        BusinessErrorException told =
            catchThrowableOfType(
                BusinessErrorException.class,
                () -> once.execute(ID, ONE, () -> fail(new IllegalStateException("too late"))));
        assertThat(told.error()).isEqualTo(Bytes.utf8("too late"));
      }
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void bytesOfABusinessErrorThatLookLikeAMappingComeBackAsTheyAre() {
    Bytes odd = Bytes.of(new byte[] {0, 0, 1, 'x', 7});
    try (Once<String> once =
        once().classify(any -> Meaning.BUSINESS_ERROR).businessReply(any -> odd).build()) {
      for (int i = 0; i < 2; i++) {
        BusinessErrorException told =
            catchThrowableOfType(
                BusinessErrorException.class,
                () -> once.execute(ID, ONE, () -> fail(new IllegalStateException())));
        assertThat(told.error()).isEqualTo(odd);
      }
    }
  }

  @Test
  void theNearestClassDecidesWhatAnExceptionMeans() {
    try (Once<String> once =
        once()
            .didNotHappen(ConnectException.class)
            .businessError(
                IOException.class,
                error -> Bytes.utf8(error.getMessage()),
                bytes -> new IOException(bytes.asText()))
            .build()) {
      assertThatThrownBy(() -> once.execute(ID, null, () -> fail(new ConnectException("nobody"))))
          .isInstanceOf(DidNotHappenException.class)
          .hasCauseInstanceOf(ConnectException.class);
      assertThatThrownBy(() -> once.execute(ID, null, () -> fail(new IOException("bad card"))))
          .isInstanceOf(BusinessErrorException.class);
      assertThat(runs).hasValue(2);
    }
  }

  @Test
  void oneClassCannotMeanTwoThings() {
    Once.Builder<String> builder = once().didNotHappen(Declined.class);
    assertThatThrownBy(
            () -> builder.businessError(Declined.class, e -> Bytes.EMPTY, b -> new Declined(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("BUSINESS_ERROR");
  }

  @Test
  void whatDidNotHappenRunsOnTheNextTry() {
    try (Once<String> once = once().didNotHappen(ConnectException.class).build()) {
      DidNotHappenException told =
          catchThrowableOfType(
              DidNotHappenException.class,
              () -> once.execute(ID, ONE, () -> fail(new ConnectException("nobody"))));
      assertThat(told.mayResend()).isTrue();
      assertThat(once.execute(ID, ONE, this::count)).isEqualTo("run 2");
    }
  }

  @Test
  void readTimeoutIsUnknownAndNotARememberedFailure() {
    try (Once<String> once = once().build()) {
      UnknownOutcomeException told =
          catchThrowableOfType(
              UnknownOutcomeException.class,
              () -> once.execute(ID, ONE, () -> fail(new SocketTimeoutException("read"))));
      assertThat(told).hasCauseInstanceOf(SocketTimeoutException.class);
      assertThat(told.executed()).isEqualTo(Executed.UNKNOWN);
      assertThatThrownBy(() -> once.execute(ID, ONE, this::count))
          .isInstanceOf(UnknownOutcomeException.class);
      assertThat(runs).hasValue(1);

      UnknownRequest unknown = once.guard().unknowns(10).get(0);
      boolean taken =
          once.guard()
              .resolve(ID, unknown.fence(), new Finding.Happened(Reply.ok("charged after all")));
      assertThat(taken).isTrue();
      assertThat(once.execute(ID, ONE, this::count)).isEqualTo("charged after all");
    }
  }

  @Test
  void resultThatIsTooLargeToKeepNeverRunsAgain() {
    try (Once<String> once = once().maxReplyBytes(10).build()) {
      for (int i = 0; i < 2; i++) {
        ReplyNotKeptException told =
            catchThrowableOfType(
                ReplyNotKeptException.class,
                () -> once.execute(ID, ONE, () -> count() + " with a long receipt"));
        assertThat(told.tooLarge()).isTrue();
        assertThat(told.executed()).isEqualTo(Executed.YES);
      }
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void resultThatCannotBeEncodedIsExecutedAllTheSame() {
    Codec<String> broken =
        Codec.of(
            text -> {
              throw new IllegalStateException("no such charset");
            },
            Bytes::asText);
    try (Once<String> once = Once.inMemory(broken).build()) {
      assertThatThrownBy(() -> once.execute(ID, ONE, this::count))
          .isInstanceOf(ReplyNotKeptException.class)
          .hasRootCauseMessage("no such charset");
      assertThatThrownBy(() -> once.execute(ID, ONE, this::count))
          .isInstanceOf(ReplyNotKeptException.class);
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void noResultIsNotKeptAndNotRunAgain() {
    try (Once<String> once = once().build()) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(
                () ->
                    once.execute(
                        ID,
                        ONE,
                        () -> {
                          count();
                          return null;
                        }))
            .isInstanceOf(ReplyNotKeptException.class);
      }
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void asynchronousRetryGetsTheResultOfTheFirst() {
    try (Once<String> once = once().build()) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      CompletableFuture<String> first = once.executeAsync(ID, ONE, () -> answer);
      CompletableFuture<String> second =
          once.executeAsync(ID, ONE, () -> CompletableFuture.completedFuture(count()));
      assertThat(second).isNotDone();
      answer.complete("charged");
      assertThat(first.join()).isEqualTo("charged");
      assertThat(second.join()).isEqualTo("charged");
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void asynchronousBusinessErrorComesBackAsItself() {
    try (Once<String> once =
        once()
            .businessError(
                Declined.class,
                error -> Bytes.utf8(String.valueOf(error.code)),
                bytes -> new Declined(Integer.parseInt(bytes.asText())))
            .build()) {
      Declined original = new Declined(5);
      assertThatThrownBy(
              () ->
                  once.executeAsync(ID, ONE, () -> CompletableFuture.failedFuture(original)).join())
          .isInstanceOf(CompletionException.class)
          .cause()
          .isSameAs(original);
      assertThatThrownBy(
              () ->
                  once.executeAsync(ID, ONE, () -> CompletableFuture.failedFuture(original)).join())
          .cause()
          .isInstanceOf(Declined.class)
          .isNotSameAs(original)
          .satisfies(thrown -> assertThat(Once.isReplay(thrown)).isTrue());
    }
  }

  @Test
  void closedOnceRefuses() {
    Once<String> once = once().build();
    once.close();
    assertThatThrownBy(() -> once.execute(ID, ONE, this::count))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> once.executeAsync(ID, ONE, () -> new CompletableFuture<>()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(runs).hasValue(0);
  }

  private String fail(Exception failure) throws Exception {
    runs.incrementAndGet();
    throw failure;
  }

  private static final Codec<Integer> NUMBER =
      Codec.of(
          value -> Bytes.utf8(Integer.toString(value)), bytes -> Integer.parseInt(bytes.asText()));

  /** Nobody could take it back: the request would be decided, and no retry could read how. */
  @Test
  void operatorsReplyThatTheCodecCannotReadIsRefused() {
    GuardedId id = GuardedId.of(Key.text("order"));
    try (Once<Integer> once = Once.inMemory(NUMBER).build()) {
      assertThatThrownBy(
              () ->
                  once.execute(
                      id,
                      null,
                      () -> {
                        throw new IllegalStateException("no mapping");
                      }))
          .isInstanceOf(UnknownOutcomeException.class);
      assertThatThrownBy(
              () -> once.guard().resolve(id, 1, new Finding.Happened(Reply.ok("forty-two"))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("forty-two");
      assertThat(once.guard().unknowns(10)).hasSize(1);
      assertThat(once.guard().resolve(id, 1, new Finding.Happened(Reply.ok("42")))).isTrue();
      assertThat(once.execute(id, null, () -> 1)).isEqualTo(42);
    }
  }

  @Test
  void probesReplyThatTheCodecCannotReadLeavesTheRequestUnknown() {
    GuardedId id = GuardedId.of(Key.text("order"));
    String[] answer = {"forty-two"};
    try (Once<Integer> once =
        Once.inMemory(NUMBER).probe(request -> new Finding.Happened(Reply.ok(answer[0]))).build()) {
      Callable<Integer> failing =
          () -> {
            throw new IllegalStateException("no mapping");
          };
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> once.execute(id, null, failing))
            .isInstanceOf(UnknownOutcomeException.class);
      }
      answer[0] = "42";
      assertThat(once.execute(id, null, failing)).isEqualTo(42);
    }
  }
}
