package io.onceward.client.session;

import static io.onceward.client.session.Conversation.PACE;
import static io.onceward.client.session.Conversation.replied;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules C1, C2, K2 and K5 on requests under keys. */
class ClientKeysTest implements KeyActions {
  private record Copy(KeyRequest asked, int copy, Request request) {}

  private static final Scope SHOP = new Scope("shop");

  private final ClientKeys keys = new ClientKeys(PACE, this, 4);
  private final List<Copy> sent = new ArrayList<>();
  private final Map<KeyRequest, Decision> decided = new LinkedHashMap<>();
  private final List<KeyRequest> waitsEnded = new ArrayList<>();
  private final List<KeyRequest> rejected = new ArrayList<>();
  private int closed;
  private long now;

  private KeyRequest submit(Scope scope, String key) {
    return submit(scope, key, Long.MAX_VALUE);
  }

  private KeyRequest submit(Scope scope, String key, long deadlineMillis) {
    Bytes payload = Bytes.utf8("do " + key);
    return keys.submit(
        scope, Key.text(key), Fingerprint.ofPayload(payload), payload, null, deadlineMillis, now);
  }

  private Copy last() {
    return sent.get(sent.size() - 1);
  }

  private Request.Keyed lastKeyed() {
    return (Request.Keyed) last().request();
  }

  private void answer(Copy copy, Answer answer) {
    keys.answered(copy.asked(), copy.copy(), answer, now);
  }

  private void decide(Copy copy, Decision decision) {
    answer(copy, new Answer.Decided(decision, Conversation.TAG));
  }

  private void pass(long millis) {
    for (long end = now + millis; now < end; ) {
      now += 10;
      keys.tick(now);
    }
  }

  @Test
  void theSameRequestIsSentUntilItIsDecided_C1() {
    KeyRequest request = submit(SHOP, "a");
    Request first = last().request();
    pass(PACE.answerTimeoutMillis());
    assertThat(sent).hasSize(2);
    assertThat(last().request()).isEqualTo(first);
    answer(last(), new Answer.NotLeader(""));
    pass(90);
    assertThat(sent).hasSize(2);
    pass(10);
    assertThat(sent).hasSize(3);
    keys.rerouted(now);
    assertThat(sent).hasSize(4);
    answer(sent.get(0), new Answer.Unavailable("late"));
    decide(sent.get(1), replied(true));
    decide(sent.get(2), replied(true));
    assertThat(decided).containsOnlyKeys(request);
    pass(10_000);
    assertThat(sent).hasSize(4);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "MISMATCH",
        "ACKNOWLEDGED",
        "ABANDONED",
        "FORGOTTEN",
        "UNDATED",
        "TOO_LARGE",
        "MALFORMED"
      })
  void otherRefusalsAreTold_C1(Refusal refusal) {
    KeyRequest request = submit(SHOP, "a");
    decide(last(), new Decision.Refused(refusal));
    assertThat(decided).containsEntry(request, new Decision.Refused(refusal));
    pass(5_000);
    assertThat(sent).hasSize(1);
  }

  @Test
  void anIdFromTheFutureIsRetriedForAWhile_K5() {
    KeyRequest request = submit(SHOP, "a");
    for (int i = 1; i < ClientKeys.MOST_REFUSALS_AS_FUTURE; i++) {
      decide(last(), new Decision.Refused(Refusal.FROM_THE_FUTURE));
      pass(100);
      assertThat(sent).hasSize(i + 1);
    }
    decide(last(), new Decision.Refused(Refusal.FROM_THE_FUTURE));
    assertThat(decided).containsKey(request);
  }

  @Test
  void aFullTableIsWaitedFor_C1_K6() {
    submit(SHOP, "a");
    for (int i = 0; i < 100; i++) {
      decide(last(), new Decision.Refused(Refusal.OVERLOADED, "table"));
      pass(100);
    }
    assertThat(sent).hasSize(101);
    assertThat(decided).isEmpty();
  }

  @Test
  void theDeadlineEndsTheWaitNotTheRequest_C2() {
    KeyRequest request = submit(SHOP, "a", 200);
    pass(200);
    assertThat(waitsEnded).containsExactly(request);
    keys.rerouted(now);
    decide(last(), replied(false));
    assertThat(decided).containsKey(request);
    pass(1_000);
    assertThat(waitsEnded).hasSize(1);
  }

  @Test
  void takenKeysRideOnTheNextRequestOfTheirScope_K2() {
    KeyRequest a = submit(SHOP, "a");
    decide(last(), replied(false));
    keys.taken(SHOP, a.key(), now);
    submit(Scope.NONE, "b");
    assertThat(lastKeyed().acknowledged()).isEmpty();
    submit(SHOP, "c");
    assertThat(lastKeyed().acknowledged()).containsExactly(Key.text("a"));
    decide(last(), replied(false));
    submit(SHOP, "d");
    assertThat(lastKeyed().acknowledged()).isEmpty();
  }

  @Test
  void whetherAReplayWasLoggedIsNotKnownSoItsKeysAreSaidAgain_K2() {
    submit(SHOP, "a");
    decide(last(), replied(false));
    keys.taken(SHOP, Key.text("a"), now);
    submit(SHOP, "b");
    decide(last(), replied(true));
    submit(SHOP, "c");
    assertThat(lastKeyed().acknowledged()).containsExactly(Key.text("a"));
    decide(last(), new Decision.Refused(Refusal.MISMATCH));
    submit(SHOP, "d");
    assertThat(lastKeyed().acknowledged()).containsExactly(Key.text("a"));
  }

  @Test
  void retriesCarryTheSameKeys_K2() {
    submit(SHOP, "a");
    decide(last(), replied(false));
    keys.taken(SHOP, Key.text("a"), now);
    submit(SHOP, "b");
    Request first = last().request();
    keys.rerouted(now);
    assertThat(last().request()).isEqualTo(first);
  }

  @Test
  void whenNothingIsAskedTheyGoAlone_K2() {
    submit(SHOP, "a");
    decide(last(), replied(false));
    keys.taken(SHOP, Key.text("a"), now);
    pass(ClientKeys.ACKNOWLEDGE_MILLIS - 10);
    assertThat(sent).hasSize(1);
    pass(10);
    assertThat(last().request()).isEqualTo(new Request.Acknowledge(SHOP, List.of(Key.text("a"))));
    answer(last(), new Answer.Unknown("lost"));
    pass(100);
    assertThat(sent).hasSize(3);
    decide(last(), new Decision.Done());
    pass(10_000);
    assertThat(sent).hasSize(3);
    assertThat(decided).hasSize(1);
  }

  @Test
  void aKeyIsNotAcknowledgedWhileARequestUnderItIsUndecided_K2() {
    submit(SHOP, "a");
    Copy first = last();
    submit(SHOP, "a");
    Copy second = last();
    decide(first, replied(false));
    keys.taken(SHOP, Key.text("a"), now);
    submit(SHOP, "b");
    assertThat(lastKeyed().acknowledged()).isEmpty();
    decide(second, replied(true));
    keys.taken(SHOP, Key.text("a"), now);
    submit(SHOP, "a");
    assertThat(lastKeyed().acknowledged()).as("asked again before it was said").isEmpty();
    submit(SHOP, "c");
    assertThat(lastKeyed().acknowledged()).isEmpty();
  }

  @Test
  void manyKeysGoInSeveralMessages_K2() {
    for (int i = 0; i < 3_000; i++) {
      keys.taken(SHOP, Key.text("k" + i), now);
    }
    pass(ClientKeys.ACKNOWLEDGE_MILLIS);
    assertThat(sent).hasSize(3);
    int total = 0;
    for (Copy copy : sent) {
      total += ((Request.Acknowledge) copy.request()).acknowledged().size();
    }
    assertThat(total).isEqualTo(3_000);
  }

  @Test
  void onlySoManyAreUnderWayAtATime() {
    for (int i = 0; i < 10; i++) {
      submit(SHOP, "k" + i);
    }
    assertThat(sent).hasSize(4);
    for (int i = 0; i < 10; i++) {
      decide(sent.get(i), replied(false));
    }
    assertThat(decided).hasSize(10);
    assertThat(keys.undecided()).isEmpty();
  }

  @Test
  void abandoningIsRetriedUntilItDecides_O2() {
    KeyRequest request = keys.abandon(SHOP, Key.text("a"), null, Long.MAX_VALUE, now);
    assertThat(last().request()).isEqualTo(new Request.AbandonKey(SHOP, Key.text("a")));
    answer(last(), new Answer.Unknown("lost"));
    pass(100);
    decide(last(), new Decision.Abandoned(false));
    assertThat(decided).containsEntry(request, new Decision.Abandoned(false));
  }

  @Test
  void whatANodeRejectsIsTold() {
    KeyRequest request = submit(SHOP, "a");
    answer(last(), new Answer.Rejected("no"));
    assertThat(rejected).containsExactly(request);
    assertThat(keys.undecided()).isEmpty();
  }

  @Test
  void closingAcknowledgesFirst_K2() {
    submit(SHOP, "a");
    decide(last(), replied(false));
    keys.taken(SHOP, Key.text("a"), now);
    keys.close(now);
    assertThat(closed).isZero();
    assertThat(last().request()).isInstanceOf(Request.Acknowledge.class);
    decide(last(), new Decision.Done());
    assertThat(closed).isEqualTo(1);
    assertThatThrownBy(() -> submit(SHOP, "b")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void leavingTellsWhatIsUnknown() {
    KeyRequest a = submit(SHOP, "a");
    Copy copy = last();
    assertThat(keys.leave()).containsExactly(a);
    decide(copy, replied(false));
    assertThat(decided).isEmpty();
    pass(10_000);
    assertThat(sent).hasSize(1);
  }

  @Override
  public void send(KeyRequest asked, int copy, Request request) {
    sent.add(new Copy(asked, copy, request));
  }

  @Override
  public void decided(KeyRequest request, Decision decision) {
    assertThat(decided.put(request, decision)).as("told once").isNull();
  }

  @Override
  public void rejected(KeyRequest request, String reason) {
    rejected.add(request);
  }

  @Override
  public void waitEnded(KeyRequest request) {
    waitsEnded.add(request);
  }

  @Override
  public void closed() {
    closed++;
  }
}
