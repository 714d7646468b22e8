package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Decision.Done;
import io.onceward.Decision.Refused;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Scope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Other names of principals stay for good, and anyone may ask for them: they are bounded (K6). */
class AliasLimitTest {
  private static final Refused TOO_MANY = new Refused(Refusal.OVERLOADED, "aliases");
  private static final Refused NO_ROOM = new Refused(Refusal.OVERLOADED, "table bytes");

  private final Replica replica = new Replica(new TextService());
  private long position;

  private Decision decide(Request request) {
    return decide("alice", request);
  }

  private Decision decide(String principal, Request request) {
    List<Decision> decisions = new ArrayList<>();
    LogEntry entry = new LogEntry(0, 1_000, List.of(new LogEntry.Proposal(principal, request)));
    replica.apply(++position, 1, entry.encode(), (ordinal, decision) -> decisions.add(decision));
    return decisions.get(0);
  }

  private Decision alias(String name, String principal) {
    return decide(new Request.Alias(name, principal));
  }

  private byte[] snapshot() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    replica.freeze().writeTo(out);
    return out.toByteArray();
  }

  private Replica restored() throws IOException {
    return Replica.restore(new TextService(), 7, new ByteArrayInputStream(snapshot()));
  }

  /** Each names a principal that nobody has ever met: two names to be kept. */
  @Test
  void aliasesWithoutEndMeetTheirMaximum() throws IOException {
    int done = 0;
    for (int i = 0; i < 5_000; i++) {
      done += alias("name " + i, "principal " + i) instanceof Done ? 1 : 0;
    }
    assertThat(done).isEqualTo((int) Parameter.MAX_ALIASES.initial());
    assertThat(alias("one more", "alice")).isEqualTo(TOO_MANY);
    assertThat(alias("name 1", "principal 1")).as("there already").isEqualTo(new Done());
    assertThat(replica.tableBytes()).isEqualTo(Parameter.MAX_ALIASES.initial() * Room.ALIAS);
    assertThat(replica.bytesLeft("alice")).isLessThan(Parameter.MAX_TABLE_BYTES.initial());
    assertThat(restored().tableBytes()).isEqualTo(replica.tableBytes());
    assertThat(restored().digest()).isEqualTo(replica.digest());
  }

  @Test
  void maximumOfAliasesIsSetInTheLog() throws IOException {
    decide(new Request.SetParameter(Parameter.MAX_ALIASES, 1));
    assertThat(alias("a", "alice")).isEqualTo(new Done());
    assertThat(alias("b", "alice")).isEqualTo(TOO_MANY);
    assertThat(restored().obstacleToAdding("alice", new Request.Alias("b", "alice")))
        .isEqualTo("aliases");
    decide(new Request.SetParameter(Parameter.MAX_ALIASES, 2));
    assertThat(alias("b", "alice")).isEqualTo(new Done());
  }

  @Test
  void aliasThatFindsNoRoomInTheTablesIsRefused() {
    decide(new Request.SetParameter(Parameter.MAX_TABLE_BYTES, 1 << 16));
    int done = 0;
    for (int i = 0; i < 100; i++) {
      done += alias("name " + i, "alice") instanceof Done ? 1 : 0;
    }
    assertThat(done).isEqualTo((1 << 16) / Room.ALIAS);
    assertThat(alias("one more", "alice")).isEqualTo(NO_ROOM);
  }

  /** A leader asks this before it logs a request; what adds nothing is never in the way. */
  @Test
  void obstacleIsToldBeforeTheRequestIsLogged() {
    decide(new Request.SetParameter(Parameter.MAX_ALIASES, 1));
    decide(new Request.SetParameter(Parameter.MAX_PRINCIPAL_BYTES, 1 << 12));
    Request scope = new Request.SetScope(new Scope("s"), 3_600_000, false);
    assertThat(replica.obstacleToAdding("alice", new Request.Alias("a", "alice"))).isEmpty();
    assertThat(replica.obstacleToAdding("alice", scope)).isEmpty();
    alias("a", "alice");
    for (int i = 0; i < 50; i++) {
      decide(new Request.SetScope(new Scope("s" + i), 3_600_000, false));
    }
    assertThat(replica.obstacleToAdding("alice", new Request.Alias("b", "alice")))
        .isEqualTo("aliases");
    assertThat(replica.obstacleToAdding("alice", new Request.Alias("a", "alice"))).isEmpty();
    assertThat(replica.obstacleToAdding("alice", scope)).isEqualTo("principal bytes");
    assertThat(replica.obstacleToAdding("alice", new Request.SetScope(new Scope("s0"), 0, false)))
        .isEmpty();
  }

  /** Names follow their principal through renamings, however long the chain of them is. */
  @Test
  void namesFollowThroughChainsOfRenamings() throws IOException {
    for (int i = 0; i < 2_000; i++) {
      assertThat(alias("name " + i, "name " + (i + 1))).isEqualTo(new Done());
    }
    Key key = Key.text("k");
    Request ask = new Request.Keyed(Scope.NONE, key, null, List.of(), Bytes.utf8("one"));
    decide("name 0", ask);
    assertThat(((Decision.Replied) decide("name 2000", ask)).replay()).isTrue();
    assertThat(((Decision.Replied) decide("name 777", ask)).replay()).isTrue();
    assertThat(restored().digest()).isEqualTo(replica.digest());
    assertThat(restored().outcome("name 1", Scope.NONE, key))
        .isEqualTo(replica.outcome("name 2000", Scope.NONE, key));
  }

  @Test
  void nameThatMeansThePrincipalCannotBecomeItsAliasAgain() {
    Principals principals = new Principals(new Room(new Parameters()));
    Principal one = principals.enter(new Principal(0, "one"));
    principals.alias("two", one);
    assertThatThrownBy(() -> principals.alias("two", one))
        .isInstanceOf(IllegalStateException.class);
  }
}
