package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.services.ClaimCommand.Claim;
import io.onceward.services.ClaimCommand.CountByAge;
import io.onceward.services.ClaimCommand.CountOlder;
import io.onceward.services.ClaimCommand.DatedOnly;
import io.onceward.services.ClaimCommand.Done;
import io.onceward.services.ClaimCommand.Forget;
import io.onceward.services.ClaimCommand.ForgetByAge;
import io.onceward.services.ClaimCommand.Release;
import io.onceward.services.ClaimCommand.Sweep;
import io.onceward.services.ClaimReply.Counted;
import io.onceward.services.ClaimReply.Refused;
import io.onceward.services.ClaimReply.Running;
import io.onceward.services.ClaimReply.Started;
import io.onceward.services.ClaimReply.Swept;
import io.onceward.services.ClaimReply.Taken;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Forgetting by word of an administrator, and scopes that accept dated keys only (K4, K5). */
class ClaimForgetTest {
  private static final ClaimTerms TERMS = new ClaimTerms(1_000, 60_000);
  private static final Reply PAID = Reply.ok("paid");
  private static final Scope SHOP = new Scope("shop");

  private final Host claims = new Host(new ClaimService());
  private final List<Long> starts = new ArrayList<>();

  @Test
  void forgettingDropsWhatStartedBeforeTheBoundWhateverItsRetention() {
    decided(text("old"));
    decided(text("taken"));
    done(new ClaimCommand.Acknowledge("guard", text("taken")));
    done(claim(text("released")));
    done(new Release("guard", text("released"), 1));
    claims.timeMillis += 10;
    long bound = claims.timeMillis;
    decided(text("at the bound"));

    byte[] before = claims.snapshot();
    assertThat(told(new CountOlder("guard", bound))).isEqualTo(new Counted(3));
    assertThat(done(new CountOlder("guard", bound))).isEqualTo(new Counted(3));
    assertThat(claims.snapshot()).as("counting changes nothing").isEqualTo(before);
    assertThat(done(new Forget("guard", bound, 1_000))).isEqualTo(new Swept(3));
    assertThat(done(new Forget("guard", bound, 1_000))).isEqualTo(new Swept(0));
    assertThat(done(claim(text("old")))).isEqualTo(new Started(3));
    assertThat(done(claim(text("released")))).as("a new life").isEqualTo(new Started(3));
    assertThat(done(claim(text("at the bound")))).isEqualTo(new ClaimReply.Done(PAID));
  }

  /**
   * Whatever stays open, is dropped or comes late: those that count are added up, not looked at.
   */
  @Test
  void countingSeesEachThatWouldBeForgotten() {
    SplittableRandom random = new SplittableRandom(1);
    TreeMap<Integer, Long> closed = new TreeMap<>();
    for (int i = 0; i < 4_000; i++) {
      int back = random.nextInt(4) == 0 ? random.nextInt(i + 1) : i;
      claims.timeMillis += random.nextInt(2);
      done(claim(text("k" + i)));
      long age = claims.ageMillis();
      starts.add(age);
      if (random.nextInt(3) > 0
          && done(new Done("guard", text("k" + back), 1, PAID)).equals(new Taken(true))) {
        closed.put(back, starts.get(back));
      }
    }
    long first = starts.get(700);
    int dropped = (int) closed.values().stream().filter(start -> start < first).count();
    assertThat(done(new ForgetByAge("guard", first, 1_000))).isEqualTo(new Swept(dropped));
    closed.values().removeIf(start -> start < first);
    Host successor = claims.successor(new ClaimService());
    for (int i = 0; i < 4_000; i += 37) {
      long bound = starts.get(i);
      long expected = closed.values().stream().filter(start -> start < bound).count();
      assertThat(told(new CountByAge("guard", bound))).isEqualTo(new Counted(expected));
      assertThat(
              ClaimReply.decode(
                  successor.told(ClaimCommand.encode(new CountByAge("guard", bound)))))
          .isEqualTo(new Counted(expected));
    }
    assertThat(told(new CountByAge("guard", Long.MAX_VALUE))).isEqualTo(new Counted(closed.size()));
  }

  @Test
  void whatIsOpenIsNeverForgotten() {
    done(claim(text("unknown")));
    done(new ClaimCommand.Unknown("guard", text("unknown"), 1, "timed out"));
    done(claim(text("lapsed")));
    claims.timeMillis += 1_000;
    done(claim(text("running")));
    claims.timeMillis += 10;
    assertThat(told(new CountOlder("guard", Long.MAX_VALUE))).isEqualTo(new Counted(0));
    assertThat(done(new Forget("guard", Long.MAX_VALUE, 1_000))).isEqualTo(new Swept(0));
    assertThat(done(claim(text("unknown")))).isInstanceOf(ClaimReply.Unknown.class);
    assertThat(done(claim(text("lapsed")))).isInstanceOf(ClaimReply.Unknown.class);
    assertThat(done(claim(text("running")))).isEqualTo(new Running(990));
  }

  /** A late decision of an old request: its place among starts counts, not that of its end. */
  @Test
  void forgettingGoesByTheStartAndNotByTheEnd() {
    done(claim(text("old")));
    claims.timeMillis += 10;
    long bound = claims.timeMillis;
    decided(text("new"));
    done(new Done("guard", text("old"), 1, PAID));
    // A run after a release counts from its own start, a re-run from the first one's.
    done(claim(text("rerun")));
    assertThat(done(new Forget("guard", bound, 1_000))).isEqualTo(new Swept(1));
    assertThat(done(claim(text("new")))).isEqualTo(new ClaimReply.Done(PAID));
  }

  @Test
  void forgottenDatedKeysAreRefusedAlsoAfterARestore() {
    GuardedId old = dated(1);
    decided(old);
    claims.timeMillis += 10;
    assertThat(done(new Forget("guard", claims.timeMillis, 1_000))).isEqualTo(new Swept(1));
    Refused forgotten = new Refused(Refusal.FORGOTTEN, "");
    assertThat(done(claim(old))).isEqualTo(forgotten);
    assertThat(done(claim(dated(0)))).as("older than any").isEqualTo(forgotten);
    Host successor = claims.successor(new ClaimService());
    assertThat(ClaimReply.decode(successor.done(ClaimCommand.encode(claim(old)))))
        .isEqualTo(forgotten);
    assertThat(outcome(text("undated"))).isInstanceOf(GuardedOutcome.NeverSeen.class);
  }

  @Test
  void forgettingGoesOnWhereItStopped() {
    List<GuardedId> ids = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      ids.add(text("k" + i));
      decided(ids.get(i));
      claims.timeMillis += 1;
    }
    List<ClaimReply> answers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      answers.add(done(new Forget("guard", claims.timeMillis, 10)));
    }
    assertThat(answers).containsExactly(new Swept(10), new Swept(10), new Swept(5));
    assertThat(outcome(ids.get(0))).isInstanceOf(GuardedOutcome.NoRecordSince.class);
  }

  /** A leader's clock was a year ahead for one entry; log time stands still until it is reached. */
  @Test
  void forgettingByAgeReachesWhatStartedAfterAJumpOfTheClock() {
    long year = 365L * 24 * 60 * 60 * 1_000;
    long now = claims.timeMillis;
    decided(text("before"));
    claims.jump(year);
    decided(dated(1));
    claims.timeMillis += 10;
    long bound = claims.ageMillis();
    decided(text("at the bound"));

    assertThat(done(new Forget("guard", now + year / 2, 1_000))).isEqualTo(new Swept(1));
    byte[] before = claims.snapshot();
    assertThat(told(new CountByAge("guard", bound))).isEqualTo(new Counted(1));
    assertThat(done(new CountByAge("guard", bound))).isEqualTo(new Counted(1));
    assertThat(told(new CountByAge("other", bound))).isEqualTo(new Counted(0));
    assertThat(claims.snapshot()).as("counting changes nothing").isEqualTo(before);
    Host successor = claims.successor(new ClaimService());
    Bytes forget = ClaimCommand.encode(new ForgetByAge("guard", bound, 1_000));
    assertThat(ClaimReply.decode(successor.done(forget))).isEqualTo(new Swept(1));
    assertThat(done(new ForgetByAge("guard", bound, 1_000))).isEqualTo(new Swept(1));
    assertThat(successor.snapshot()).isEqualTo(claims.snapshot());
    assertThat(done(new ForgetByAge("guard", bound, 1_000))).isEqualTo(new Swept(0));
    assertThat(done(claim(dated(1)))).isEqualTo(new Refused(Refusal.FORGOTTEN, ""));
    assertThat(done(claim(text("at the bound")))).isEqualTo(new ClaimReply.Done(PAID));
    assertThat(claims.obstacle(forget, -1)).as("it shrinks").isEmpty();
  }

  @Test
  void whatIsOpenIsNotForgottenByAge() {
    done(claim(text("unknown")));
    done(new ClaimCommand.Unknown("guard", text("unknown"), 1, "timed out"));
    done(claim(text("running")));
    claims.timeMillis += 10;
    assertThat(told(new CountByAge("guard", Long.MAX_VALUE))).isEqualTo(new Counted(0));
    assertThat(done(new ForgetByAge("guard", Long.MAX_VALUE, 1_000))).isEqualTo(new Swept(0));
  }

  @Test
  void forgettingGivesTheMemoryBack() {
    for (int i = 0; i < 50; i++) {
      decided(text("k" + i));
    }
    assertThat(claims.service.stateBytes()).isGreaterThan(50 * 700);
    claims.timeMillis += 10;
    done(new Forget("guard", claims.timeMillis, 1_000));
    assertThat(claims.service.stateBytes()).isLessThan(2_000);
    assertThat(claims.service.canExpire()).isFalse();
    // It shrinks, so a full service must take it.
    assertThat(claims.obstacle(ClaimCommand.encode(new Forget("guard", 1, 1)), -1)).isEmpty();
  }

  @Test
  void othersForgetNothingOfIt() {
    decided(text("old"));
    claims.timeMillis += 10;
    assertThat(done(new Forget("other", claims.timeMillis, 1_000))).isEqualTo(new Swept(0));
    assertThat(told(new CountOlder("other", claims.timeMillis))).isEqualTo(new Counted(0));
    assertThat(done(claim(text("old")))).isEqualTo(new ClaimReply.Done(PAID));
  }

  // ---- dated only -----------------------------------------------------------------------------

  @Test
  void scopeThatTakesDatedKeysOnlyRefusesNewUndatedOnes() {
    decided(shop(Key.text("known")));
    done(claim(shop(Key.text("running"))));
    done(claim(shop(Key.text("released"))));
    done(new Release("guard", shop(Key.text("released")), 1));
    assertThat(done(new DatedOnly("guard", SHOP, true))).isEqualTo(new Taken(true));
    assertThat(done(new DatedOnly("guard", SHOP, true))).isEqualTo(new Taken(false));

    Refused undated = new Refused(Refusal.UNDATED, "");
    assertThat(done(claim(shop(Key.text("new"))))).isEqualTo(undated);
    assertThat(done(claim(shop(Key.text("released"))))).as("as good as new").isEqualTo(undated);
    assertThat(done(claim(shop(Key.text("known"))))).isEqualTo(new ClaimReply.Done(PAID));
    assertThat(done(claim(shop(Key.text("running"))))).isInstanceOf(Running.class);
    assertThat(done(claim(shop(Key.dated(900_000_000, 1))))).isEqualTo(new Started(1));
    assertThat(done(claim(text("elsewhere")))).isEqualTo(new Started(1));
    assertThat(done(new ClaimCommand.Abandon("guard", shop(Key.text("late")), 60_000)))
        .isInstanceOf(ClaimReply.Abandonment.class);

    assertThat(done(new DatedOnly("guard", SHOP, false))).isEqualTo(new Taken(true));
    assertThat(done(claim(shop(Key.text("new"))))).isEqualTo(new Started(1));
  }

  /** The effect may have happened, so the word of the probe counts more than the setting. */
  @Test
  void unknownRequestOfSuchAScopeMayRunAgain() {
    GuardedId id = shop(Key.text("unknown"));
    done(claim(id));
    done(new ClaimCommand.Unknown("guard", id, 1, "timed out"));
    done(new DatedOnly("guard", SHOP, true));
    assertThat(done(new ClaimCommand.Rerun("guard", ask(id), 1, TERMS))).isEqualTo(new Started(2));
  }

  @Test
  void settingSurvivesRestoreAndSweepAndTakesRoomWhileItIsThere() {
    long nothing = claims.service.stateBytes();
    done(new DatedOnly("guard", SHOP, true));
    assertThat(claims.service.stateBytes()).isGreaterThan(nothing + SHOP.name().length());
    done(new Sweep("guard", 10));
    Host successor = claims.successor(new ClaimService());
    assertThat(successor.service.stateBytes()).isEqualTo(claims.service.stateBytes());
    for (Host host : List.of(claims, successor)) {
      assertThat(ClaimReply.decode(host.done(ClaimCommand.encode(claim(shop(Key.text("new")))))))
          .isEqualTo(new Refused(Refusal.UNDATED, ""));
    }
    done(new DatedOnly("guard", SHOP, false));
    assertThat(claims.service.stateBytes()).isEqualTo(nothing);
  }

  @Test
  void settingsAreLimited() {
    for (int i = 0; i < ServiceLimits.CLAIM_SCOPES; i++) {
      assertThat(done(new DatedOnly("guard", new Scope("s" + i), true))).isEqualTo(new Taken(true));
    }
    assertThat(done(new DatedOnly("guard", SHOP, true)))
        .isEqualTo(new Refused(Refusal.OVERLOADED, "CLAIM_SCOPES"));
    assertThat(done(new DatedOnly("guard", new Scope("s0"), true))).isEqualTo(new Taken(false));
    Host little = new Host(new ClaimService(100, 4_000));
    assertThat(ClaimReply.decode(little.done(ClaimCommand.encode(setting(0)))))
        .isEqualTo(new Taken(true));
    ClaimReply last = new Taken(true);
    for (int i = 1; i < 20 && last instanceof Taken; i++) {
      last = ClaimReply.decode(little.done(ClaimCommand.encode(setting(i))));
    }
    assertThat(last).isEqualTo(new Refused(Refusal.OVERLOADED, "CLAIMS_BYTES"));
    assertThat(claims.obstacle(ClaimCommand.encode(new DatedOnly("fresh", SHOP, true)), 100))
        .isNotEmpty();
  }

  private static DatedOnly setting(int i) {
    return new DatedOnly("guard", new Scope("s" + i), true);
  }

  private void decided(GuardedId id) {
    done(claim(id));
    done(new Done("guard", id, 1, PAID));
  }

  private GuardedOutcome outcome(GuardedId id) {
    return ((ClaimReply.Outcome) told(new ClaimCommand.Outcome("guard", id))).known();
  }

  private static GuardedId text(String key) {
    return GuardedId.of("user", Key.text(key));
  }

  private static GuardedId shop(Key key) {
    return new GuardedId("user", SHOP, key);
  }

  private static GuardedId dated(long millis) {
    return GuardedId.of("user", Key.dated(900_000_000 + millis * 1_000, 1));
  }

  private static Ask ask(GuardedId id) {
    return new Ask(id, null, "charge", "memo");
  }

  private static Claim claim(GuardedId id) {
    return new Claim("guard", ask(id), TERMS);
  }

  private ClaimReply done(ClaimCommand command) {
    return ClaimReply.decode(claims.done(ClaimCommand.encode(command)));
  }

  private ClaimReply told(ClaimCommand command) {
    return ClaimReply.decode(claims.told(ClaimCommand.encode(command)));
  }
}
