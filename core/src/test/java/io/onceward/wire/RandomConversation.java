package io.onceward.wire;

import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.RandomRequests;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Questions and answers of every kind, drawn from a seed. They need not make sense. */
final class RandomConversation {
  private final SplittableRandom random;
  private final RandomRequests values;
  private final List<Supplier<Question>> questions =
      List.of(
          this::logged,
          () -> new Question.OutcomeOfSequence(address(), number()),
          () -> new Question.OutcomeOfKey(values().scope(), values().key()),
          () -> new Question.SessionNamed(oneOf(ClientKind.values()), text()),
          () -> new Question.Query(values().bytes(300)),
          () -> new Question.CountOlderThan(number()),
          () -> new Question.CountByAge(number()),
          () -> new Question.ListSessions(number(), (int) number()),
          () -> new Question.Status(flag()),
          () -> new Question.TakeSnapshot(),
          () -> new Question.TransferLeadership(text()),
          () -> new Question.AddMember(member()),
          () -> new Question.RemoveMember(text()));
  private final List<Supplier<Decision>> decisions =
      List.of(
          () -> new Decision.Replied(reply(), flag(), number(), number()),
          () -> new Decision.Opened(number(), number(), number(), number(), (int) number(), flag()),
          () ->
              new Decision.Refused(
                  oneOf(Refusal.values()), text(), oneOf(Refusal.Executed.values())),
          () -> new Decision.Abandoned(flag()),
          () -> new Decision.Done(),
          () -> new Decision.Forgot(number()),
          () -> new Decision.Rejected(text()));
  private final List<Supplier<Outcome>> outcomes =
      List.of(
          () -> new Outcome.Executed(reply(), number(), number()),
          () -> new Outcome.Acknowledged(),
          () -> new Outcome.Abandoned(),
          () -> new Outcome.NoRecordSince(number()),
          () -> new Outcome.NeverSeen(),
          () -> new Outcome.NoSession());
  private final List<Supplier<Answer>> answers =
      List.of(
          () -> new Answer.Decided(oneOf(decisions()).get(), number()),
          () -> new Answer.OutcomeTold(oneOf(outcomes()).get()),
          () -> new Answer.SessionTold(flag() ? session() : null, number()),
          () -> new Answer.QueryTold(reply()),
          () -> new Answer.Counted(number()),
          this::sessionsTold,
          () -> new Answer.StatusTold(status()),
          () -> new Answer.Obeyed(text()),
          () -> new Answer.NotLeader(text()),
          () -> new Answer.Unavailable(text()),
          () -> new Answer.Unknown(text()),
          () -> new Answer.Rejected(text()));

  RandomConversation(long seed) {
    random = new SplittableRandom(seed);
    values = new RandomRequests(seed);
  }

  Question question() {
    return oneOf(questions).get();
  }

  Answer answer() {
    return oneOf(answers).get();
  }

  List<Questions.Asked> asked(int count) {
    List<Questions.Asked> asked = new ArrayList<>();
    while (asked.size() < count) {
      asked.add(new Questions.Asked(number(), question()));
    }
    return asked;
  }

  List<Answers.Given> given(int count) {
    List<Answers.Given> given = new ArrayList<>();
    while (given.size() < count) {
      given.add(new Answers.Given(number(), answer()));
    }
    return given;
  }

  long number() {
    return values.number();
  }

  private RandomRequests values() {
    return values;
  }

  private List<Supplier<Decision>> decisions() {
    return decisions;
  }

  private List<Supplier<Outcome>> outcomes() {
    return outcomes;
  }

  private Question logged() {
    byte[] frame = RequestCodec.encode(values.next());
    return new Question.Logged(io.onceward.Bytes.of(frame));
  }

  private Answer sessionsTold() {
    List<SessionView> sessions = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      sessions.add(session());
    }
    return new Answer.SessionsTold(sessions);
  }

  private Request.Address address() {
    return new Request.Address(number(), number(), number());
  }

  private Reply reply() {
    return new Reply(oneOf(Reply.Kind.values()), values.bytes(300));
  }

  private SessionView session() {
    return new SessionView(
        oneOf(ClientKind.values()),
        text(),
        text(),
        number(),
        number(),
        number(),
        number(),
        (int) number(),
        flag(),
        number());
  }

  private Member member() {
    return new Member(text(), text(), (int) number(), (int) number());
  }

  private NodeStatus status() {
    List<Member> members = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      members.add(member());
    }
    return new NodeStatus(
        text(),
        text(),
        new ClusterId(number(), number()),
        text(),
        text(),
        members,
        number(),
        number(),
        number(),
        number(),
        number(),
        number(),
        number(),
        number(),
        number(),
        text(),
        number(),
        number(),
        number(),
        number(),
        List.of("s" + text(), "kv").subList(0, random.nextInt(3)),
        random.nextBoolean() ? null : new Difference(number(), text(), text()));
  }

  private String text() {
    return values.text(200);
  }

  private boolean flag() {
    return random.nextBoolean();
  }

  private <T> T oneOf(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
