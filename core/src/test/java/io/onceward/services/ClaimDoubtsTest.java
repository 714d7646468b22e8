package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.services.ClaimCommand.Claim;
import io.onceward.services.ClaimCommand.Done;
import io.onceward.services.ClaimReply.Refused;
import io.onceward.services.ClaimReply.Started;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Unknown requests are never dropped, so they have a share of what a principal may hold (G1). */
class ClaimDoubtsTest {
  private static final ClaimTerms TERMS = new ClaimTerms(1_000, 60_000);
  private static final Refused TOO_MANY = new Refused(Refusal.OVERLOADED, "unknown requests");

  /** One principal alone may hold 50 of them. */
  private Host claims = new Host(new ClaimService(100, 1L << 40));

  private int requests;

  private Ask ask(String principal, String scope, String operation) {
    Key key = Key.text("request " + requests++);
    return new Ask(new GuardedId(principal, new Scope(scope), key), null, operation);
  }

  private ClaimReply claim(Ask ask) {
    return done(new Claim("guard", ask, TERMS));
  }

  private ClaimReply done(ClaimCommand command) {
    return ClaimReply.decode(claims.done(ClaimCommand.encode(command)));
  }

  @Test
  void operationThatFailsDoesNotShutTheOthers() {
    int made = 0;
    Ask ask = ask("", "", "charge");
    while (claim(ask) instanceof Started) {
      done(new ClaimCommand.Unknown("guard", ask.id(), 1, "timed out"));
      made++;
      ask = ask("", "", "charge");
    }
    assertThat(made).isEqualTo(25);
    assertThat(claim(ask)).isEqualTo(TOO_MANY);
    assertThat(claim(ask("", "", "mail"))).isEqualTo(new Started(1));
    assertThat(claim(ask("", "berlin", "charge"))).isEqualTo(new Started(1));
    claims = claims.successor(new ClaimService(100, 1L << 40));
    assertThat(claim(ask)).as("after a restore").isEqualTo(TOO_MANY);
    assertThat(claim(ask("", "", "mail"))).isEqualTo(new Started(1));
  }

  /** Their leases end; nobody says a word. */
  @Test
  void principalWithManyScopesIsRefusedAtThreeQuarters() {
    int made = 0;
    while (claim(ask("mallory", "s" + made, "charge")) instanceof Started) {
      claims.timeMillis += 1_000;
      made++;
    }
    assertThat(made).isEqualTo(36);
    assertThat(claim(ask("mallory", "fresh", "charge"))).isEqualTo(TOO_MANY);
    for (int i = 0; i < 14; i++) {
      assertThat(claim(ask("alice", "", "charge"))).isEqualTo(new Started(1));
    }
  }

  @Test
  void nothingIsLeftOfOnesThatAreResolved() {
    for (int round = 0; round < 3; round++) {
      Map<GuardedId, Long> fences = new LinkedHashMap<>();
      for (int i = 0; i < 25; i++) {
        Ask ask = ask("", "s" + i % 5, "charge");
        fences.put(ask.id(), ((Started) claim(ask)).fence());
      }
      claims.timeMillis += 1_000;
      assertThat(claim(ask("", "s0", "charge"))).isEqualTo(TOO_MANY);
      fences.forEach((id, fence) -> done(new Done("guard", id, fence, Reply.ok("found"))));
      done(new ClaimCommand.Forget("guard", Long.MAX_VALUE, 1_000));
    }
  }
}
