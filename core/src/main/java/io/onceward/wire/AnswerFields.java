package io.onceward.wire;

import static io.onceward.wire.CommonFields.D;
import static io.onceward.wire.CommonFields.F;

import io.onceward.Outcome;
import io.onceward.replica.Replica.SessionView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The message {@code Given}: what can be answered, each in a field of its own. */
final class AnswerFields {
  static final int TICKET = 1;
  static final int DECIDED = 2;

  private static final int OUTCOME_TOLD = 3;
  private static final int SESSION_TOLD = 4;
  private static final int QUERY_TOLD = 5;
  private static final int COUNTED = 6;
  private static final int SESSIONS_TOLD = 7;
  private static final int STATUS_TOLD = 8;
  private static final int OBEYED = 9;
  private static final int NOT_LEADER = 10;
  private static final int UNAVAILABLE = 11;
  private static final int UNKNOWN = 12;
  private static final int REJECTED = 13;

  private static final int EXECUTED = 1;
  private static final int ACKNOWLEDGED = 2;
  private static final int ABANDONED = 3;
  private static final int NO_RECORD_SINCE = 4;
  private static final int NEVER_SEEN = 5;
  private static final int NO_SESSION = 6;

  private AnswerFields() {}

  static void write(ProtoWriter out, Answer answer) {
    int start = out.begin(fieldOf(answer));
    if (answer instanceof Answer.Decided a) {
      DecisionFields.write(out, a.decision(), a.clusterTag());
    } else if (answer instanceof Answer.OutcomeTold a) {
      writeOutcome(out, a.outcome());
    } else if (answer instanceof Answer.SessionTold a) {
      SessionView session = a.session();
      if (session != null) {
        int nested = out.begin(1);
        CommonFields.writeSession(out, session);
        out.end(nested);
      }
      out.fixed64(2, a.clusterTag());
    } else if (answer instanceof Answer.QueryTold a) {
      CommonFields.writeReply(out, a.reply());
    } else if (answer instanceof Answer.Counted a) {
      out.number(1, a.records());
    } else if (answer instanceof Answer.SessionsTold a) {
      for (SessionView session : a.sessions()) {
        int nested = out.begin(1);
        CommonFields.writeSession(out, session);
        out.end(nested);
      }
    } else if (answer instanceof Answer.StatusTold a) {
      StatusFields.write(out, a.status());
    } else {
      out.text(1, textOf(answer));
    }
    out.end(start);
  }

  private static String textOf(Answer answer) {
    if (answer instanceof Answer.Obeyed a) {
      return a.what();
    } else if (answer instanceof Answer.NotLeader a) {
      return a.leader();
    } else if (answer instanceof Answer.Unavailable a) {
      return a.reason();
    } else if (answer instanceof Answer.Unknown a) {
      return a.reason();
    } else if (answer instanceof Answer.Rejected a) {
      return a.reason();
    }
    throw new IllegalArgumentException("no text is in " + answer);
  }

  private static int fieldOf(Answer answer) {
    if (answer instanceof Answer.Decided) {
      return DECIDED;
    } else if (answer instanceof Answer.OutcomeTold) {
      return OUTCOME_TOLD;
    } else if (answer instanceof Answer.SessionTold) {
      return SESSION_TOLD;
    } else if (answer instanceof Answer.QueryTold) {
      return QUERY_TOLD;
    } else if (answer instanceof Answer.Counted) {
      return COUNTED;
    } else if (answer instanceof Answer.SessionsTold) {
      return SESSIONS_TOLD;
    } else if (answer instanceof Answer.StatusTold) {
      return STATUS_TOLD;
    } else if (answer instanceof Answer.Obeyed) {
      return OBEYED;
    } else if (answer instanceof Answer.NotLeader) {
      return NOT_LEADER;
    } else if (answer instanceof Answer.Unavailable) {
      return UNAVAILABLE;
    } else if (answer instanceof Answer.Unknown) {
      return UNKNOWN;
    } else if (answer instanceof Answer.Rejected) {
      return REJECTED;
    }
    throw new IllegalArgumentException("no field is for " + answer);
  }

  private static void writeOutcome(ProtoWriter out, Outcome outcome) {
    int start = out.begin(fieldOf(outcome));
    if (outcome instanceof Outcome.Executed o) {
      ExecutionFields.writeExecuted(out, o);
    } else if (outcome instanceof Outcome.NoRecordSince o) {
      out.number(1, o.horizonMicros());
    }
    out.end(start);
  }

  private static int fieldOf(Outcome outcome) {
    if (outcome instanceof Outcome.Executed) {
      return EXECUTED;
    } else if (outcome instanceof Outcome.Acknowledged) {
      return ACKNOWLEDGED;
    } else if (outcome instanceof Outcome.Abandoned) {
      return ABANDONED;
    } else if (outcome instanceof Outcome.NoRecordSince) {
      return NO_RECORD_SINCE;
    } else if (outcome instanceof Outcome.NeverSeen) {
      return NEVER_SEEN;
    } else if (outcome instanceof Outcome.NoSession) {
      return NO_SESSION;
    }
    throw new IllegalArgumentException("no field is for " + outcome);
  }

  /**
   * Reads the message of the answer in this field, which the caller has entered; null if this build
   * knows no such answer.
   *
   * @throws IllegalArgumentException if it has a value that this build does not know
   */
  static @Nullable Answer read(int field, ProtoReader in) {
    return switch (field) {
      case DECIDED -> DecisionFields.read(in);
      case OUTCOME_TOLD -> outcomeTold(in);
      case SESSION_TOLD -> sessionTold(in);
      case QUERY_TOLD -> new Answer.QueryTold(CommonFields.readReply(in));
      case COUNTED -> new Answer.Counted(CommonFields.readNumber(in));
      case SESSIONS_TOLD -> sessionsTold(in);
      case STATUS_TOLD -> new Answer.StatusTold(StatusFields.read(in));
      case OBEYED -> new Answer.Obeyed(CommonFields.readText(in));
      case NOT_LEADER -> new Answer.NotLeader(CommonFields.readText(in));
      case UNAVAILABLE -> new Answer.Unavailable(CommonFields.readText(in));
      case UNKNOWN -> new Answer.Unknown(CommonFields.readText(in));
      case REJECTED -> new Answer.Rejected(CommonFields.readText(in));
      default -> null;
    };
  }

  private static @Nullable Answer outcomeTold(ProtoReader in) {
    Outcome outcome = null;
    while (in.more()) {
      int tag = in.tag();
      if ((tag & 7) == D) {
        int outer = in.enter();
        Outcome read = readOutcome(ProtoReader.fieldOf(tag), in);
        outcome = read == null ? outcome : read;
        in.leave(outer);
      } else {
        in.skip(tag);
      }
    }
    return outcome == null ? null : new Answer.OutcomeTold(outcome);
  }

  private static @Nullable Outcome readOutcome(int field, ProtoReader in) {
    return switch (field) {
      case EXECUTED -> ExecutionFields.readExecuted(in);
      case ACKNOWLEDGED -> new Outcome.Acknowledged();
      case ABANDONED -> new Outcome.Abandoned();
      case NO_RECORD_SINCE -> new Outcome.NoRecordSince(CommonFields.readNumber(in));
      case NEVER_SEEN -> new Outcome.NeverSeen();
      case NO_SESSION -> new Outcome.NoSession();
      default -> null;
    };
  }

  private static Answer sessionTold(ProtoReader in) {
    SessionView session = null;
    long clusterTag = 0;
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 | D -> session = nestedSession(in);
        case 2 << 3 | F -> clusterTag = in.fixed64();
        default -> in.skip(tag);
      }
    }
    return new Answer.SessionTold(session, clusterTag);
  }

  private static Answer sessionsTold(ProtoReader in) {
    List<SessionView> sessions = new ArrayList<>();
    while (in.more()) {
      int tag = in.tag();
      if (tag == (1 << 3 | D)) {
        sessions.add(nestedSession(in));
      } else {
        in.skip(tag);
      }
    }
    return new Answer.SessionsTold(List.copyOf(sessions));
  }

  private static SessionView nestedSession(ProtoReader in) {
    int outer = in.enter();
    SessionView session = CommonFields.readSession(in);
    in.leave(outer);
    return session;
  }
}
