package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import org.junit.jupiter.api.Test;

/** A table remembers only what it has just judged to execute, once, for the one who asked. */
class JudgedRequestTest {
  private static final Key KEY = Key.text("key");

  private final Parameters parameters = new Parameters();
  private final Room room = new Room(parameters);
  private final Principals principals = new Principals(room);
  private final Hash hash = new Hash(0);
  private final Principal alice = principals.enter(new Principal(0, "alice"));
  private final Principal mallory = principals.enter(new Principal(0, "mallory"));

  @Test
  void keyThatWasNotJudgedIsNotRemembered() {
    KeyTable keys = new KeyTable(parameters, principals, room, hash);
    assertRefuses(keys, alice);
    assertThat(keys.judge(alice, Scope.NONE, KEY, false, 0, 1)).isEqualTo(Verdict.Execute.NOW);
    assertRefuses(keys, mallory);
    remember(keys, alice);
    assertRefuses(keys, alice);
    // A replay executes nothing, so nothing may be remembered for it.
    assertThat(keys.judge(alice, Scope.NONE, KEY, false, 0, 1)).isInstanceOf(Verdict.Replay.class);
    assertRefuses(keys, alice);
    assertThat(keys.size()).isEqualTo(1);
  }

  @Test
  void sequenceThatWasNotJudgedIsNotRemembered() {
    SessionTable sessions = new SessionTable(parameters, principals, room, hash);
    Request.Open open = new Request.Open(ClientKind.REGISTERED, "", 1, 2, 0, 0, false, true, 8);
    Decision.Opened opened = (Decision.Opened) sessions.open(alice, open, 1 << 16, 0);
    Request.Address address = new Request.Address(0, opened.session(), opened.incarnation());
    assertRefuses(sessions, alice);
    assertThat(sessions.judge(alice, 0, address, 1, 1, false, 0)).isEqualTo(Verdict.Execute.NOW);
    assertRefuses(sessions, mallory);
    remember(sessions, alice);
    assertRefuses(sessions, alice);
    assertThat(sessions.judge(alice, 0, address, 1, 1, false, 0))
        .isInstanceOf(Verdict.Replay.class);
    assertRefuses(sessions, alice);
  }

  private static void assertRefuses(Memory memory, Principal who) {
    assertThatThrownBy(() -> memory.obstacle(who)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> remember(memory, who)).isInstanceOf(IllegalStateException.class);
  }

  private static void remember(Memory memory, Principal who) {
    memory.remember(who, 1, 1, false, 0, Reply.ok("done"));
  }
}
