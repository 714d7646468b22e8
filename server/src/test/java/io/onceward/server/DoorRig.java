package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Stands around a door in a test: keeps what it proposes, serves and answers. */
final class DoorRig {
  private DoorRig() {}

  record Proposed(LogEntry entry, Door.Batch batch) {}

  record Heard(long ticket, Answer answer) {}

  static final class Listener extends Visitor {
    final List<Heard> heard = new ArrayList<>();

    Listener(String principal) {
      super(principal);
    }

    @Override
    protected void answer(long ticket, Answer answer) {
      heard.add(new Heard(ticket, answer));
    }

    Answer only() {
      assertThat(heard).hasSize(1);
      return heard.get(0).answer();
    }
  }

  static final class Surroundings implements Door.Surroundings {
    final List<Proposed> proposed = new ArrayList<>();
    final List<Door.Reads> confirming = new ArrayList<>();
    final List<Question> served = new ArrayList<>();
    final Set<Key> withoutReply = new HashSet<>();
    boolean remembers;
    String obstacleToAdding = "";
    long watermark = 1;
    int lookedUp;
    int muchAfter = Integer.MAX_VALUE;
    Door.Room roomNow = Door.Room.AMPLE;

    @Override
    public void propose(byte[] entry, Door.Batch batch) {
      proposed.add(new Proposed(LogEntry.decode(entry), batch));
    }

    @Override
    public void confirm(Door.Reads reads) {
      confirming.add(reads);
    }

    @Override
    public void serve(Visitor visitor, long ticket, Question question) {
      served.add(question);
    }

    @Override
    public boolean servedMuch() {
      return served.size() % muchAfter == 0;
    }

    @Override
    public Door.Room room(String principal) {
      return roomNow;
    }

    @Override
    public boolean remembers(String principal, Request request) {
      return remembers;
    }

    @Override
    public String obstacleToAdding(String principal, Request request) {
      return obstacleToAdding;
    }

    @Override
    public List<Key> withReply(String principal, Scope scope, List<Key> keys) {
      lookedUp += keys.size();
      return keys.stream().filter(key -> !withoutReply.contains(key)).toList();
    }

    @Override
    public boolean movesWatermark(String principal, Request.Address address, long watermark) {
      return watermark > this.watermark;
    }
  }
}
