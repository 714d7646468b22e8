package io.onceward.client.session;

import static io.onceward.client.session.Conversation.PACE;
import static io.onceward.client.session.Conversation.durable;
import static io.onceward.client.session.Conversation.open;
import static io.onceward.client.session.Conversation.registered;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.client.session.Conversation.Copy;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Timing;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a session keeps itself alive when the cluster says how often, and when that changes (C3). */
class TimingTest {
  private static final long LONG = 10 * 3_600_000;

  private static Timing every(long keepAliveMillis) {
    return new Timing(keepAliveMillis, LONG, LONG);
  }

  /** Passes time until a keep-alive is sent, and answers it; how long that took. */
  private static long untilKeepAlive(Conversation talk) {
    long start = talk.now;
    while (talk.sent.isEmpty()) {
      assertThat(talk.now - start).as("no keep-alive").isLessThan(LONG);
      talk.pass(10);
    }
    List<Copy> sent = talk.takeSent();
    assertThat(sent)
        .singleElement()
        .extracting(Copy::request)
        .isInstanceOf(Request.KeepAlive.class);
    talk.answer(sent.get(0), new Decision.Done());
    return talk.now - start;
  }

  @Test
  void shorterIntervalIsFollowedAtOnceAlsoByASessionThatIsIdleForLonger() {
    Conversation talk = open(16);
    talk.session.timing(every(60_000), talk.now);
    talk.pass(50_000);
    assertThat(talk.sent).isEmpty();
    talk.session.timing(every(1_000), talk.now);
    assertThat(talk.session.wakeMillis()).isLessThanOrEqualTo(talk.now);
    talk.session.tick(talk.now);
    assertThat(talk.last().request()).isInstanceOf(Request.KeepAlive.class);
    talk.answer(talk.takeSent().get(0), new Decision.Done());
    assertThat(untilKeepAlive(talk)).isEqualTo(1_000);
  }

  @Test
  void shorterIntervalCountsFromWhenSomethingWasApplied() {
    Conversation talk = open(16);
    talk.pass(300);
    talk.session.timing(every(1_000), talk.now);
    assertThat(untilKeepAlive(talk)).isEqualTo(700);
  }

  @Test
  void longerIntervalIsFollowedToo() {
    Conversation talk = open(16);
    talk.session.timing(every(60_000), talk.now);
    assertThat(untilKeepAlive(talk)).isEqualTo(60_000);
    assertThat(untilKeepAlive(talk)).isEqualTo(60_000);
  }

  @Test
  void sessionSpeaksThreeTimesBeforeItExpiresHoweverLongTheInterval() {
    Conversation talk = open(16);
    talk.session.timing(new Timing(60_000, 3_000, LONG), talk.now);
    assertThat(untilKeepAlive(talk)).isEqualTo(1_000);
    talk.session.timing(new Timing(60_000, LONG, 3_000), talk.now);
    assertThat(untilKeepAlive(talk)).as("not its expiry").isEqualTo(60_000);
  }

  @Test
  void durableSessionHasAnExpiryOfItsOwn() {
    Conversation talk = new Conversation(durable("billing", 1), PACE);
    talk.session.start(0);
    talk.answer(talk.last(), new Answer.SessionTold(null, 0));
    talk.session.timing(new Timing(60_000, 3_000, 30_000), talk.now);
    talk.opens(16, true);
    assertThat(talk.session.expiryMillis()).isEqualTo(30_000);
    assertThat(talk.session.keepAliveMillis()).isEqualTo(10_000);
    assertThat(untilKeepAlive(talk)).isEqualTo(10_000);
  }

  @Test
  void userCanMakeASessionSpeakMoreOftenAndNotLess() {
    Conversation talk = new Conversation(registered(), new Pace(100, 2_000, 5_000));
    talk.session.start(0);
    talk.opens(16, true);
    assertThat(untilKeepAlive(talk)).isEqualTo(5_000);
    talk.session.timing(every(1_000), talk.now);
    assertThat(untilKeepAlive(talk)).isEqualTo(1_000);
    talk.session.timing(every(60_000), talk.now);
    assertThat(untilKeepAlive(talk)).isEqualTo(5_000);
  }

  /** It rides on the next entry of the log, which may take an interval of the cluster. */
  @Test
  void answerMayTakeTheIntervalOfTheClusterHoweverOftenTheUserWantsToSpeak() {
    Conversation talk = new Conversation(registered(), new Pace(100, 2_000, 1_000));
    talk.session.start(0);
    talk.opens(16, true);
    talk.session.timing(every(60_000), talk.now);
    talk.pass(1_000);
    assertThat(talk.takeSent()).hasSize(1);
    talk.pass(61_990);
    assertThat(talk.sent).isEmpty();
    talk.pass(10);
    assertThat(talk.sent).hasSize(1);
  }

  @Test
  void keepAliveUnderWayIsMissedByTheNewInterval() {
    Conversation talk = open(16);
    talk.session.timing(every(60_000), talk.now);
    talk.pass(60_000);
    assertThat(talk.takeSent()).hasSize(1);
    talk.pass(1_000);
    talk.session.timing(every(500), talk.now);
    talk.pass(1_490);
    assertThat(talk.sent).isEmpty();
    talk.pass(10);
    assertThat(talk.sent).hasSize(1);
  }

  @Test
  void oddTimingNeitherOverflowsNorSpins() {
    Timing shortest = new Timing(1, 1, 1);
    Timing longest = new Timing(31_536_000_000_000L, 31_536_000_000_000L, 31_536_000_000_000L);
    assertThat(PACE.keepAliveMillis(shortest, ClientKind.AUTO)).isEqualTo(1);
    Conversation talk = open(16);
    talk.session.timing(longest, talk.now);
    talk.pass(3_600_000);
    assertThat(talk.sent).isEmpty();
    assertThat(talk.session.wakeMillis()).isGreaterThan(talk.now + LONG);
  }

  @Test
  void timingIsOfNoUseToASessionThatIsOver() {
    Conversation talk = open(16);
    talk.session.leave();
    talk.session.timing(every(1), talk.now);
    talk.pass(10_000);
    assertThat(talk.sent).isEmpty();
  }
}
