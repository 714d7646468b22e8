package io.onceward.client.session;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Command;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.client.session.Conversation.Copy;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** A real replica behind no network at all: what is applied is said by the test. */
final class Cluster {
  static final ClusterId ID = new ClusterId(0x5f0e, 7);

  private final List<String> executed = new ArrayList<>();
  private final Replica replica = new Replica(new Echo());
  private long position;
  private long timeMillis = 1_000_000;

  Cluster() {
    decide(new Request.FormCluster(ID));
  }

  /** What the service executed, in order. */
  List<String> executed() {
    return executed;
  }

  Replica replica() {
    return replica;
  }

  /** Applies these requests as one log entry. */
  List<Decision> decide(Request... requests) {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (Request request : requests) {
      proposals.add(new LogEntry.Proposal("anonymous", request));
    }
    List<Decision> decisions = new ArrayList<>();
    byte[] entry = new LogEntry(replica.clusterId().tag(), timeMillis, proposals).encode();
    replica.apply(++position, 1, entry, (ordinal, decision) -> decisions.add(decision));
    return decisions;
  }

  /** Applies one copy; the answer is for the test to deliver, or not. */
  Answer apply(Copy copy) {
    return new Answer.Decided(decide(copy.request()).get(0), ID.tag());
  }

  /** Answers the question for the session of a name. */
  Answer read(Copy copy) {
    return new Answer.SessionTold(
        replica.session("anonymous", copy.readKind(), copy.readName()).orElse(null), ID.tag());
  }

  void pass(long millis) {
    for (long left = millis; left > 0; left -= 20_000) {
      timeMillis += Math.min(left, 20_000);
      decide(new Request.Tick());
    }
  }

  void set(Parameter parameter, long value) {
    decide(new Request.SetParameter(parameter, value));
  }

  private final class Echo implements Service {
    @Override
    public Reply execute(Command command) {
      executed.add(command.payload().asText());
      return Reply.ok("done " + command.payload().asText());
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }

  static Bytes bytes(String text) {
    return Bytes.utf8(text);
  }
}
