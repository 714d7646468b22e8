package io.onceward.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.client.session.Conversation.Copy;
import io.onceward.client.session.SessionActions.End;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import org.junit.jupiter.api.Test;

/** The rules S1 to S3 without a journal, against a real replica. */
class OpeningTest {
  private final Cluster cluster = new Cluster();

  private static SessionPlan auto(long nonce) {
    return new SessionPlan(ClientKind.AUTO, "node-1", true, 8, nonce, nonce);
  }

  private static SessionPlan named(long nonce) {
    return new SessionPlan(ClientKind.DURABLE, "billing", true, 8, nonce, nonce);
  }

  /** Opens for good: every copy is applied and answered. */
  private Conversation opened(SessionPlan plan) {
    Conversation talk = new Conversation(plan);
    talk.session.start(0);
    for (int i = 0; i < 2 && !talk.session.isOpen(); i++) {
      Copy copy = talk.takeSent().get(0);
      talk.answer(copy, copy.request() == null ? cluster.read(copy) : cluster.apply(copy));
    }
    assertThat(talk.session.isOpen()).isTrue();
    talk.takeSent();
    return talk;
  }

  @Test
  void aRetriedOpeningGetsTheSameSession_S1() {
    Conversation talk = new Conversation(Conversation.registered());
    talk.session.start(0);
    cluster.apply(talk.last());
    talk.pass(2_000);
    assertThat(talk.sent).hasSize(2);
    assertThat(talk.sent.get(1).request()).isEqualTo(talk.sent.get(0).request());
    talk.answer(talk.sent.get(1), cluster.apply(talk.sent.get(1)));
    assertThat(talk.session.isOpen()).isTrue();
    assertThat(cluster.replica().sessions()).hasSize(1);
    // The first copy's answer comes late and says the same; nothing opens twice.
    talk.answer(talk.sent.get(0), cluster.apply(talk.sent.get(0)));
    assertThat(talk.session.address().clusterTag()).isEqualTo(Cluster.ID.tag());
  }

  @Test
  void registeredClientsDoNotRead_S1() {
    Conversation talk = new Conversation(Conversation.registered());
    talk.session.start(0);
    assertThat(talk.last().request()).isInstanceOf(Request.Open.class);
  }

  @Test
  void anAutoNameReadsWhomItReplacesAndStartsAnew_S3() {
    Conversation first = opened(auto(1));
    first.submit("a");
    first.answer(first.last(), cluster.apply(first.last()));
    Conversation second = opened(auto(2));
    assertThat(second.session.nextSequence()).isEqualTo(1);
    first.submit("b");
    first.answer(first.last(), cluster.apply(first.last()));
    assertThat(first.end).isEqualTo(new End.Lost(new Decision.Refused(Refusal.SUPERSEDED)));
    assertThat(cluster.executed()).containsExactly("a");
  }

  @Test
  void aDurableNameWithoutAJournalResendsNothingAndGoesOnBehind_S2() {
    Conversation first = opened(named(1));
    first.submit("a");
    first.submit("b");
    first.submit("c");
    Copy a = first.takeSent().get(0);
    cluster.apply(a);
    Conversation second = opened(named(2));
    assertThat(second.sent).isEmpty();
    assertThat(second.session.nextSequence()).isEqualTo(2);
    second.submit("d");
    second.answer(second.last(), cluster.apply(second.last()));
    assertThat(second.decided).hasSize(1);
    assertThat(cluster.executed()).containsExactly("a", "d");
  }

  @Test
  void readingIsRetriedToo_S2() {
    Conversation talk = new Conversation(named(1));
    talk.session.start(0);
    talk.answer(talk.takeSent().get(0), new Answer.NotLeader(""));
    talk.pass(100);
    Copy again = talk.takeSent().get(0);
    assertThat(again.request()).isNull();
    talk.session.rerouted(talk.now);
    assertThat(talk.takeSent()).hasSize(1);
    talk.answer(again, cluster.read(again));
    assertThat(talk.last().request()).isInstanceOf(Request.Open.class);
  }

  @Test
  void twoWhoOpenANameAtOnceDoNotTakeTurns_S4() {
    Conversation one = new Conversation(named(1));
    Conversation two = new Conversation(named(2));
    for (Conversation talk : new Conversation[] {one, two}) {
      talk.session.start(0);
      talk.answer(talk.last(), cluster.read(talk.last()));
    }
    one.answer(one.last(), cluster.apply(one.last()));
    two.answer(two.last(), cluster.apply(two.last()));
    assertThat(one.session.isOpen()).isTrue();
    assertThat(two.end).isEqualTo(new End.Lost(new Decision.Refused(Refusal.SUPERSEDED)));
    two.takeSent();
    two.pass(60_000);
    assertThat(two.sent).isEmpty();
  }

  @Test
  void aWindowThatIsTooLargeIsToldAndNotRetried() {
    Conversation talk =
        new Conversation(new SessionPlan(ClientKind.REGISTERED, "", true, 1 << 20, 1, 1));
    talk.session.start(0);
    talk.answer(talk.last(), cluster.apply(talk.last()));
    assertThat(talk.end)
        .isEqualTo(new End.NotOpened(new Decision.Refused(Refusal.TOO_LARGE, "window")));
  }

  @Test
  void aNodeThatWillNotHaveTheOpeningIsBelieved() {
    Conversation talk = new Conversation(Conversation.registered());
    talk.session.start(0);
    talk.answer(talk.last(), new Answer.Rejected("no sessions for you"));
    assertThat(talk.end).isEqualTo(new End.Rejected("no sessions for you"));
  }

  @Test
  void aFullTableIsWaitedFor_C1() {
    Conversation talk = new Conversation(Conversation.registered());
    talk.session.start(0);
    talk.refuse(talk.takeSent().get(0), Refusal.OVERLOADED);
    talk.pass(100);
    talk.answer(talk.last(), cluster.apply(talk.last()));
    assertThat(talk.session.isOpen()).isTrue();
  }

  @Test
  void closingBeforeItIsOpenJustStops() {
    Conversation talk = new Conversation(Conversation.registered());
    talk.session.start(0);
    talk.session.close(0);
    assertThat(talk.end).isEqualTo(new End.Left());
    talk.answer(talk.last(), cluster.apply(talk.last()));
    assertThat(talk.session.isOpen()).isFalse();
  }

  @Test
  void refusedForGoodDoesNotWedgeAnOrderedSession_S6_execution14() {
    cluster.set(io.onceward.replica.Parameter.MAX_COMMAND_BYTES, 8);
    Conversation talk = opened(Conversation.registered());
    for (String text : new String[] {"a", "much too large", "b", "c", "d"}) {
      talk.submit(text);
    }
    for (int round = 0; round < 4; round++) {
      for (Copy copy : talk.takeSent()) {
        talk.answer(copy, cluster.apply(copy));
      }
      talk.pass(100);
    }
    assertThat(talk.decided.values())
        .filteredOn(decision -> decision instanceof Decision.Replied)
        .hasSize(4);
    assertThat(cluster.executed()).containsExactly("a", "b", "c", "d");
    assertThat(talk.session.watermark()).isEqualTo(6);
  }

  @Test
  void namesBelongToNamedClientsOnly() {
    assertThatThrownBy(() -> new SessionPlan(ClientKind.REGISTERED, "x", true, 0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SessionPlan(ClientKind.AUTO, "", true, 0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Pace(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
  }
}
