package io.onceward.wire;

import static io.onceward.wire.CommonFields.D;
import static io.onceward.wire.CommonFields.V;

import io.onceward.ClientKind;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import org.jspecify.annotations.Nullable;

/** The message {@code Asked}: what can be asked, each in a field of its own. */
final class QuestionFields {
  static final int TICKET = 1;
  static final int LOGGED = 2;

  private static final int OUTCOME_OF_SEQUENCE = 3;
  private static final int OUTCOME_OF_KEY = 4;
  private static final int SESSION_NAMED = 5;
  private static final int QUERY = 6;
  private static final int COUNT_OLDER_THAN = 7;
  private static final int LIST_SESSIONS = 8;
  private static final int STATUS = 9;
  private static final int TAKE_SNAPSHOT = 10;
  private static final int TRANSFER_LEADERSHIP = 11;
  private static final int ADD_MEMBER = 12;
  private static final int REMOVE_MEMBER = 13;
  private static final int COUNT_BY_AGE = 14;

  private static final Key NO_KEY = Key.of(Key.Kind.UUID, 0, 0);

  private QuestionFields() {}

  static void write(ProtoWriter out, Question question) {
    int start = out.begin(fieldOf(question));
    if (question instanceof Question.OutcomeOfSequence q) {
      int address = out.begin(1);
      CommonFields.writeAddress(out, q.address());
      out.end(address);
      out.number(2, q.sequence());
    } else if (question instanceof Question.OutcomeOfKey q) {
      out.text(1, q.scope().name());
      int key = out.begin(2);
      CommonFields.writeKey(out, q.key());
      out.end(key);
    } else if (question instanceof Question.SessionNamed q) {
      out.number(1, q.kind().code());
      out.text(2, q.name());
    } else if (question instanceof Question.Query q) {
      out.bytes(1, q.question());
    } else if (question instanceof Question.CountOlderThan q) {
      out.number(1, q.beforeMillis());
    } else if (question instanceof Question.CountByAge q) {
      out.number(1, q.beforeAgeMillis());
    } else if (question instanceof Question.ListSessions q) {
      out.number(1, q.afterSession());
      out.number32(2, q.most());
    } else if (question instanceof Question.Status q) {
      out.flag(1, q.withDigest());
    } else if (question instanceof Question.TransferLeadership q) {
      out.text(1, q.member());
    } else if (question instanceof Question.AddMember q) {
      int member = out.begin(1);
      CommonFields.writeMember(out, q.member());
      out.end(member);
    } else if (question instanceof Question.RemoveMember q) {
      out.text(1, q.member());
    } else if (!(question instanceof Question.TakeSnapshot)) {
      throw new IllegalArgumentException("nobody knows how to write " + question);
    }
    out.end(start);
  }

  private static int fieldOf(Question question) {
    if (question instanceof Question.OutcomeOfSequence) {
      return OUTCOME_OF_SEQUENCE;
    } else if (question instanceof Question.OutcomeOfKey) {
      return OUTCOME_OF_KEY;
    } else if (question instanceof Question.SessionNamed) {
      return SESSION_NAMED;
    } else if (question instanceof Question.Query) {
      return QUERY;
    } else if (question instanceof Question.CountOlderThan) {
      return COUNT_OLDER_THAN;
    } else if (question instanceof Question.CountByAge) {
      return COUNT_BY_AGE;
    } else if (question instanceof Question.ListSessions) {
      return LIST_SESSIONS;
    } else if (question instanceof Question.Status) {
      return STATUS;
    } else if (question instanceof Question.TakeSnapshot) {
      return TAKE_SNAPSHOT;
    } else if (question instanceof Question.TransferLeadership) {
      return TRANSFER_LEADERSHIP;
    } else if (question instanceof Question.AddMember) {
      return ADD_MEMBER;
    } else if (question instanceof Question.RemoveMember) {
      return REMOVE_MEMBER;
    }
    throw new IllegalArgumentException("no field is for " + question);
  }

  /**
   * Reads the message of the question in this field, which the caller has entered; null if this
   * build knows no such field.
   *
   * @throws IllegalArgumentException if it has a value that this build does not know or allow
   */
  static @Nullable Question read(int field, ProtoReader in) {
    return switch (field) {
      case OUTCOME_OF_SEQUENCE -> outcomeOfSequence(in);
      case OUTCOME_OF_KEY -> outcomeOfKey(in);
      case SESSION_NAMED -> sessionNamed(in);
      case QUERY -> new Question.Query(CommonFields.readBytes(in));
      case COUNT_OLDER_THAN -> new Question.CountOlderThan(CommonFields.readNumber(in));
      case COUNT_BY_AGE -> new Question.CountByAge(CommonFields.readNumber(in));
      case LIST_SESSIONS -> listSessions(in);
      case STATUS -> new Question.Status(CommonFields.readNumber(in) != 0);
      case TAKE_SNAPSHOT -> new Question.TakeSnapshot();
      case TRANSFER_LEADERSHIP -> new Question.TransferLeadership(CommonFields.readText(in));
      case ADD_MEMBER -> addMember(in);
      case REMOVE_MEMBER -> new Question.RemoveMember(CommonFields.readText(in));
      default -> null;
    };
  }

  private static Question outcomeOfSequence(ProtoReader in) {
    Request.Address address = new Request.Address(0, 0, 0);
    long sequence = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | D -> {
          int outer = in.enter();
          address = CommonFields.readAddress(in);
          in.leave(outer);
        }
        case 2 << 3 | V -> sequence = in.varint();
        default -> in.skip(tag);
      }
    }
    return new Question.OutcomeOfSequence(address, sequence);
  }

  private static Question outcomeOfKey(ProtoReader in) {
    String scope = "";
    Key key = NO_KEY;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | D -> scope = in.text();
        case 2 << 3 | D -> {
          int outer = in.enter();
          key = CommonFields.readKey(in);
          in.leave(outer);
        }
        default -> in.skip(tag);
      }
    }
    return new Question.OutcomeOfKey(new Scope(scope), key);
  }

  private static Question sessionNamed(ProtoReader in) {
    int kind = 0;
    String name = "";
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | V -> kind = in.code();
        case 2 << 3 | D -> name = in.text();
        default -> in.skip(tag);
      }
    }
    return new Question.SessionNamed(ClientKind.ofCode(kind), name);
  }

  private static Question listSessions(ProtoReader in) {
    long afterSession = 0;
    int most = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | V -> afterSession = in.varint();
        case 2 << 3 | V -> most = in.number32();
        default -> in.skip(tag);
      }
    }
    return new Question.ListSessions(afterSession, most);
  }

  private static Question addMember(ProtoReader in) {
    Member member = new Member("", "", 0, 0);
    while (in.more()) {
      int tag = in.tag();
      if (tag == (1 << 3 | D)) {
        int outer = in.enter();
        member = CommonFields.readMember(in);
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
    return new Question.AddMember(member);
  }
}
