package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.UnknownRequest;
import io.onceward.services.ClaimCommand.Claim;
import io.onceward.services.ClaimCommand.Done;
import io.onceward.services.ClaimCommand.Late;
import io.onceward.services.ClaimCommand.Recall;
import io.onceward.services.ClaimCommand.Release;
import io.onceward.services.ClaimCommand.Rerun;
import io.onceward.services.ClaimCommand.Sweep;
import io.onceward.services.ClaimCommand.Unknown;
import io.onceward.services.ClaimCommand.Unknowns;
import io.onceward.services.ClaimReply.DoneAtLength;
import io.onceward.services.ClaimReply.NotDone;
import io.onceward.services.ClaimReply.Refused;
import io.onceward.services.ClaimReply.Running;
import io.onceward.services.ClaimReply.Started;
import io.onceward.services.ClaimReply.Swept;
import io.onceward.services.ClaimReply.Taken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is particular to the claims service: its time, its limits, its bytes. That it does what a
 * store does is shown by the contract of stores, through a server.
 */
class ClaimServiceTest extends ServiceContract {
  private static final GuardedId ID = GuardedId.of("shop", Key.text("order 1"));
  private static final ClaimTerms TERMS = new ClaimTerms(1_000, 60_000);
  private static final Reply PAID = Reply.ok("paid");

  private final Host claims = new Host(fresh());

  @Override
  Service fresh() {
    return new ClaimService();
  }

  @Override
  long stateLimit() {
    return 150_000;
  }

  @Override
  boolean isRefusedForRoom(Reply reply) {
    return reply.kind() == Reply.Kind.OK
        && ClaimReply.decode(reply.bytes()) instanceof Refused refused
        && refused.limit().equals("CLAIMS_BYTES");
  }

  @Override
  int snapshotVersion() {
    return 5;
  }

  @Override
  Bytes draw(SplittableRandom random) {
    String store = "s" + random.nextInt(2);
    // Some are new however long it goes on: few fences fit those that were dropped again and again.
    int number = random.nextInt(random.nextInt(4) == 0 ? 3_000 : 30);
    Key key = number % 3 == 0 ? Key.dated(1_000L * number, number) : Key.text("k" + number);
    GuardedId id = new GuardedId("", new Scope("t" + number % 2), key);
    Fingerprint fingerprint = random.nextInt(3) == 0 ? null : new Fingerprint(number % 5);
    Ask ask = new Ask(id, fingerprint, "charge", "order " + number);
    ClaimTerms terms = new ClaimTerms(1 + random.nextInt(400), 1 + random.nextInt(2_000));
    long fence = 1L + random.nextInt(3);
    Reply reply = Reply.ok("reply " + random.nextInt(3));
    return ClaimCommand.encode(
        switch (random.nextInt(21)) {
          case 0 -> new Rerun(store, ask, fence, terms);
          case 1, 2 -> new Done(store, id, fence, reply);
          case 3 -> new Unknown(store, id, fence, "timed out");
          case 4 -> new Release(store, id, fence);
          case 5 -> new Sweep(store, random.nextInt(4));
          case 6 -> new Unknowns(store, random.nextInt(3), 1 + random.nextInt(5));
          case 7 -> new Late(store, id);
          case 8 -> new Recall(store, id);
          case 9 -> new ClaimCommand.Outcome(store, id);
          case 10 -> new ClaimCommand.Abandon(store, id, 1 + random.nextInt(2_000));
          case 11, 12 -> new ClaimCommand.Acknowledge(store, id);
          case 13 ->
              new ClaimCommand.Forget(
                  store, 1_000_000 + random.nextInt(3_000), 1 + random.nextInt(4));
          case 14 -> new ClaimCommand.CountOlder(store, 1_000_000 + random.nextInt(3_000));
          case 15 -> new ClaimCommand.DatedOnly(store, id.scope(), random.nextInt(3) == 0);
          case 16 ->
              new ClaimCommand.ForgetByAge(
                  store, 1_000_000 + random.nextInt(3_000), 1 + random.nextInt(4));
          case 17 -> new ClaimCommand.CountByAge(store, 1_000_000 + random.nextInt(3_000));
          default -> new Claim(store, ask, terms);
        });
  }

  /** A lease without end would keep its room for a reply without end. */
  @Test
  void leaseBeyondTheLongestIsRefusedByItsName() {
    Ask ask = new Ask(ID, null, "charge");
    ClaimTerms longest = new ClaimTerms(ServiceLimits.CLAIM_LEASE_MILLIS, Long.MAX_VALUE);
    ClaimTerms longer = new ClaimTerms(ServiceLimits.CLAIM_LEASE_MILLIS + 1, 1);
    assertThatThrownBy(() -> new Claim("guard", ask, longer))
        .hasMessage("lease in ms (CLAIM_LEASE_MILLIS) is 3600001; allowed are 1 to 3600000");
    assertThatThrownBy(() -> new Rerun("guard", ask, 1, longer))
        .hasMessageContaining("CLAIM_LEASE_MILLIS");
    byte[] sent = ClaimCommand.encode(new Claim("guard", ask, longest)).toArray();
    // The lease is a varint of four bytes, before the longest retention in nine.
    int at = sent.length - 9 - 4;
    assertThat(sent[at] & 0x7f | (sent[at + 1] & 0x7f) << 7).isEqualTo(3_600_000 & 0x3fff);
    sent[at]++;
    Reply refused = claims.execute(Bytes.of(sent));
    assertThat(refused.kind()).isEqualTo(Reply.Kind.BUSINESS_ERROR);
    assertThat(refused.bytes().asText())
        .contains("lease in ms (CLAIM_LEASE_MILLIS) is 3600001; allowed are 1 to 3600000");
    assertThat(done(new Claim("guard", ask, longest))).isEqualTo(new Started(1));
  }

  @Test
  void leaseEndsByAge() {
    long began = claims.timeMillis;
    assertThat(done(claim(ID))).isEqualTo(new Started(1));
    claims.timeMillis = began + 999;
    assertThat(done(claim(ID))).isEqualTo(new Running(1));
    assertThat(done(new Unknowns("guard", 0, 10)))
        .isEqualTo(new ClaimReply.Unknowns(List.of(), 1, false));
    claims.timeMillis = began + 1_000;
    UnknownRequest lapsed =
        new UnknownRequest(
            ID,
            "charge",
            "memo",
            1,
            Instant.ofEpochMilli(began),
            1_000,
            "the lease of 1000 ms ended without word of the run");
    assertThat(done(claim(ID))).isEqualTo(new ClaimReply.Unknown(lapsed));
    assertThat(told(new Unknowns("guard", 0, 10)))
        .isEqualTo(new ClaimReply.Unknowns(List.of(lapsed), 1, false));
  }

  @Test
  void nothingRunsOutOnceAllRecordsAreGone() {
    assertThat(claims.service.canExpire()).isFalse();
    done(claim(ID));
    done(new Done("guard", ID, 1, PAID));
    assertThat(claims.service.canExpire()).isTrue();
    claims.timeMillis += 24L * 60 * 60 * 1_000 + 1;
    assertThat(done(new Sweep("guard", 10))).isEqualTo(new Swept(1));
    assertThat(claims.service.canExpire()).as("only a horizon is left").isFalse();
    assertThat(told(new ClaimCommand.Outcome("guard", ID)))
        .isInstanceOf(ClaimReply.Outcome.class)
        .extracting(outcome -> ((ClaimReply.Outcome) outcome).known())
        .isInstanceOf(GuardedOutcome.NoRecordSince.class);
  }

  @Test
  void completionThatContradictsTheAcknowledgedReplyIsEvidence() {
    done(claim(ID));
    done(new Done("guard", ID, 1, PAID));
    done(new ClaimCommand.Acknowledge("guard", ID));
    assertThat(done(new Done("guard", ID, 1, PAID))).isEqualTo(new ClaimReply.Taken(true));
    Reply other = Reply.ok("paid by another");
    assertThat(done(new Done("guard", ID, 1, other))).isEqualTo(new ClaimReply.Taken(false));
    assertThat(((ClaimReply.Late) told(new Late("guard", ID))).evidence())
        .extracting(late -> late.reply())
        .containsExactly(other);
  }

  @Test
  void outageDoesNotEndRetention() {
    done(claim(ID));
    done(new Done("guard", ID, 1, PAID));
    claims.jump(24L * 60 * 60 * 1000);
    assertThat(done(new Sweep("guard", 10))).isEqualTo(new Swept(0));
    assertThat(done(claim(ID))).isEqualTo(new ClaimReply.Done(PAID));
  }

  @Test
  void clockThatJumpsNeitherEndsALeaseNorKeepsIt() {
    done(claim(ID));
    claims.jump(366L * 24 * 60 * 60 * 1000);
    assertThat(done(claim(ID))).isEqualTo(new Running(1_000));
    // Right again: log time stands still for a year, and age goes on.
    claims.jump(-1_000);
    claims.timeMillis += 1_000;
    assertThat(done(claim(ID))).isInstanceOf(ClaimReply.Unknown.class);
  }

  /**
   * Whoever repeats an effect within the retention of the outside must not think it younger (G4).
   */
  @Test
  void outageCountsForHowLongAgoItStarted() {
    done(claim(ID));
    claims.timeMillis += 1_000;
    claims.jump(5_000);
    ClaimReply.Unknown unknown = (ClaimReply.Unknown) done(claim(ID));
    assertThat(unknown.request().startedMillisAgo()).isEqualTo(6_000);
  }

  @Test
  void clockThatJumpsAYearEndsNoRetention() {
    ClaimTerms day = new ClaimTerms(1_000, 24L * 60 * 60 * 1000);
    done(new Claim("guard", ask(ID), day));
    done(new Done("guard", ID, 1, PAID));
    claims.jump(366L * 24 * 60 * 60 * 1000);
    assertThat(done(new Sweep("guard", 10))).isEqualTo(new Swept(0));
    assertThat(done(claim(ID))).isEqualTo(new ClaimReply.Done(PAID));
  }

  @Test
  void retentionEndsByAge() {
    done(claim(ID));
    done(new Done("guard", ID, 1, PAID));
    claims.timeMillis += 59_999;
    assertThat(done(new Sweep("guard", 10))).isEqualTo(new Swept(0));
    claims.timeMillis += 1;
    assertThat(done(new Sweep("guard", 10))).isEqualTo(new Swept(1));
    assertThat(done(claim(ID))).isEqualTo(new Started(3));
  }

  @Test
  void storesOfOtherNamesAndPrincipalsLookEmpty() {
    done(claim(ID));
    done(new Done("guard", ID, 1, PAID));
    assertThat(done(new Claim("other", ask(ID), TERMS))).isEqualTo(new Started(1));
    Bytes claim = ClaimCommand.encode(claim(ID));
    Reply stranger =
        claims.service.execute(
            new Command(claim, "mallory", 99, claims.timeMillis, claims.ageMillis()));
    assertThat(ClaimReply.decode(Host.ok(stranger))).isEqualTo(new Started(1));
    Bytes recall = ClaimCommand.encode(new Recall("guard", ID));
    Reply peek =
        claims.service.query(
            new Command(recall, "mallory", 99, claims.timeMillis, claims.ageMillis()));
    assertThat(ClaimReply.decode(Host.ok(peek))).isEqualTo(new NotDone());
    assertThat(done(claim(ID))).isEqualTo(new ClaimReply.Done(PAID));
  }

  @Test
  void horizonIsKnownAfterARestoreOfAnEmptyStore() {
    GuardedId dated = GuardedId.of(Key.dated(900_000_000, 1));
    done(new Claim("guard", new Ask(dated, null, "charge"), TERMS));
    done(new Release("guard", dated, 1));
    claims.timeMillis += 60_000;
    assertThat(done(new Sweep("guard", 10))).isEqualTo(new Swept(1));
    Host successor = claims.successor(fresh());
    assertThat(
            ClaimReply.decode(
                successor.done(
                    ClaimCommand.encode(
                        new Claim("guard", new Ask(dated, null, "charge"), TERMS)))))
        .isEqualTo(new Refused(Refusal.FORGOTTEN, ""));
  }

  @Test
  void storeWithoutMemoryTakesNoRoom() {
    byte[] untouched = claims.snapshot();
    done(new Release("guard", ID, 1));
    done(new Done("guard", ID, 1, PAID));
    done(new Sweep("guard", 10));
    assertThat(claims.snapshot()).hasSameSizeAs(untouched);
  }

  /** Also if nothing of it is left but that: a straggler may still be about. */
  @Test
  void fencesOfDroppedRunsOutliveTheirStores() {
    for (int i = 0; i < 2 * ServiceLimits.CLAIM_STORES; i++) {
      String store = "store " + i;
      long fence = ((Started) done(new Claim(store, ask(ID), TERMS))).fence();
      done(new Release(store, ID, fence));
      assertThat(done(new Claim(store, ask(ID), TERMS))).isEqualTo(new Started(fence + 1));
      done(new Release(store, ID, fence + 1));
      claims.timeMillis += 60_000;
      done(new Sweep(store, 10));
    }
    Host successor = claims.successor(fresh());
    assertThat(successor.snapshot()).isEqualTo(claims.snapshot());
    assertThat(successor.service.stateBytes()).isEqualTo(claims.service.stateBytes());
    ClaimReply again = answer(successor, "anonymous", new Claim("store 0", ask(ID), TERMS));
    assertThat(((Started) again).fence()).isGreaterThan(3);
    assertThat(answer(successor, "anonymous", new Release("store 0", ID, 2)))
        .isEqualTo(new Taken(false));
    assertThat(answer(successor, "another", new Claim("store 0", ask(ID), TERMS)))
        .isEqualTo(new Started(1));
  }

  @Test
  void longReplyIsAskedFor() {
    Reply longest = Reply.ok(Bytes.of(new byte[ServiceLimits.CLAIM_REPLY_BYTES]));
    assertThat(told(new Recall("guard", ID))).isEqualTo(new NotDone());
    done(claim(ID));
    assertThat(told(new Recall("guard", ID))).isEqualTo(new NotDone());
    assertThat(done(new Done("guard", ID, 1, longest))).isEqualTo(new Taken(true));
    assertThat(done(claim(ID))).isEqualTo(new DoneAtLength());
    assertThat(told(new Recall("guard", ID))).isEqualTo(new ClaimReply.Done(longest));
  }

  @Test
  void pagesOfUnknownRequestsFollowEachOther() {
    for (int i = 0; i < 25; i++) {
      done(claim(GuardedId.of(Key.text("k" + i))));
    }
    done(new Release("guard", GuardedId.of(Key.text("k3")), 1));
    claims.timeMillis += 1_000;
    List<Key> found = new ArrayList<>();
    long after = 0;
    boolean more = true;
    while (more) {
      ClaimReply.Unknowns page = (ClaimReply.Unknowns) told(new Unknowns("guard", after, 10));
      assertThat(page.requests()).hasSizeLessThanOrEqualTo(10);
      page.requests().forEach(each -> found.add(each.id().key()));
      after = page.last();
      more = page.more();
    }
    List<Key> expected = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      if (i != 3) {
        expected.add(Key.text("k" + i));
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void longestPageFitsIntoAMessage() {
    String memo = "m".repeat(Ask.MAX_MEMO_BYTES);
    for (int i = 0; i < ServiceLimits.LIST_ENTRIES; i++) {
      GuardedId id = GuardedId.of(Key.text("k" + i));
      done(new Claim("guard", new Ask(id, null, "charge", memo), TERMS));
      done(new Unknown("guard", id, 1, "€".repeat(2_000)));
    }
    Bytes page = ClaimCommand.encode(new Unknowns("guard", 0, ServiceLimits.LIST_ENTRIES));
    assertThat(claims.told(page).length()).isLessThan(ServiceLimits.LIST_BYTES);
  }

  @Test
  void fullServiceNamesItsLimit() {
    // One principal alone may take half of it.
    Host few = new Host(new ClaimService(4, Long.MAX_VALUE));
    Host little = new Host(new ClaimService(100, 270_000));
    for (Host host : List.of(few, little)) {
      for (int i = 0; i < 2; i++) {
        host.done(ClaimCommand.encode(claim(GuardedId.of(Key.text("k" + i)))));
      }
    }
    Bytes third = ClaimCommand.encode(claim(GuardedId.of(Key.text("third"))));
    assertThat(ClaimReply.decode(few.done(third)))
        .isEqualTo(new Refused(Refusal.OVERLOADED, "CLAIMS"));
    assertThat(ClaimReply.decode(little.done(third)))
        .isEqualTo(new Refused(Refusal.OVERLOADED, "CLAIMS_BYTES"));
    // Known after a restore too.
    Host successor = little.successor(new ClaimService(100, 270_000));
    assertThat(ClaimReply.decode(successor.done(third)))
        .isEqualTo(new Refused(Refusal.OVERLOADED, "CLAIMS_BYTES"));
  }

  @Test
  void whoFindsItFullNeedNotWaitForASweep() {
    Host host = new Host(new ClaimService(2, Long.MAX_VALUE));
    host.done(ClaimCommand.encode(claim(ID)));
    host.done(ClaimCommand.encode(new Release("guard", ID, 1)));
    Bytes other = ClaimCommand.encode(claim(GuardedId.of(Key.text("other"))));
    assertThat(ClaimReply.decode(host.done(other))).isInstanceOf(Refused.class);
    host.timeMillis += 60_000;
    assertThat(ClaimReply.decode(host.done(other))).isEqualTo(new Started(1));
  }

  @Test
  void storesAreCounted() {
    for (int i = 0; i < ServiceLimits.CLAIM_STORES / 2; i++) {
      assertThat(done(new Claim("store " + i, ask(ID), TERMS))).isEqualTo(new Started(1));
    }
    assertThat(done(claim(ID))).isEqualTo(new Refused(Refusal.OVERLOADED, "CLAIM_STORES"));
    assertThat(done(new Done("guard", ID, 1, PAID))).isEqualTo(new Taken(false));
    assertThat(done(new Claim("store 7", ask(ID), TERMS))).isInstanceOf(Running.class);
  }

  /** Runs that nobody heard of again may stay unknown for ever; they hold no room for a reply. */
  @Test
  void unknownRequestsDoNotShutTheService() {
    Host host = new Host(new ClaimService(1_000_000, 4 << 20));
    for (int i = 0; i < 500; i++) {
      Bytes claim = ClaimCommand.encode(claim(GuardedId.of(Key.text("k" + i))));
      assertThat(ClaimReply.decode(host.done(claim))).isEqualTo(new Started(1));
      host.timeMillis += 1_000;
    }
    Reply longest = Reply.ok(Bytes.of(new byte[ServiceLimits.CLAIM_REPLY_BYTES]));
    Done word = new Done("guard", GuardedId.of(Key.text("k7")), 1, longest);
    assertThat(ClaimReply.decode(host.done(ClaimCommand.encode(word)))).isEqualTo(new Taken(true));
    assertThat(host.successor(fresh()).service.stateBytes()).isEqualTo(host.service.stateBytes());
  }

  /** Whatever one principal does, another one finds room. */
  @Test
  void principalLeavesRoomForOthers() {
    Host host = new Host(new ClaimService(1_000, 8 << 20));
    ClaimTerms lasting = new ClaimTerms(1_000_000, 1_000_000);
    for (int who = 0; who < 5; who++) {
      int started = 0;
      for (int i = 0; i < 200; i++) {
        Claim claim = new Claim("guard", ask(GuardedId.of(Key.text("k" + i))), lasting);
        if (answer(host, "p" + who, claim) instanceof Started) {
          started++;
        }
      }
      assertThat(started).isBetween(1, 63);
    }
    Claim store = new Claim("store", ask(ID), lasting);
    assertThat(answer(host, "somebody new", store)).isEqualTo(new Started(1));
  }

  private static ClaimReply answer(Host host, String principal, ClaimCommand command) {
    Command asked =
        new Command(ClaimCommand.encode(command), principal, 99, host.timeMillis, host.ageMillis());
    return ClaimReply.decode(Host.ok(host.service.execute(asked)));
  }

  @Test
  void lateEvidenceMeetsTheLimit() {
    Host host = new Host(new ClaimService(1_000, 2 << 20));
    Reply longest = Reply.ok(Bytes.of(new byte[ServiceLimits.CLAIM_REPLY_BYTES]));
    for (int i = 0; i < 100; i++) {
      GuardedId id = GuardedId.of(Key.text("k" + i));
      assertThat(answer(host, "anonymous", claim(id))).isEqualTo(new Started(1));
      answer(host, "anonymous", new Unknown("guard", id, 1, "why"));
      answer(host, "anonymous", new Rerun("guard", ask(id), 1, TERMS));
      answer(host, "anonymous", new Release("guard", id, 2));
    }
    int refused = 0;
    for (int i = 0; i < 100; i++) {
      Done late = new Done("guard", GuardedId.of(Key.text("k" + i)), 1, longest);
      ClaimReply word = answer(host, "anonymous", late);
      refused += word.equals(new Refused(Refusal.OVERLOADED, "CLAIMS_BYTES")) ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(10);
    assertThat(host.service.stateBytes()).isLessThan(2 << 20);
  }

  /** A run that was started again with a longer text counts for it. */
  @Test
  void rerunMeetsTheLimit() {
    Host host = new Host(new ClaimService(1_000, 1 << 20));
    String memo = "m".repeat(Ask.MAX_MEMO_BYTES);
    int limited = 0;
    for (int i = 0; i < 1_000; i++) {
      GuardedId id = GuardedId.of(Key.text("k" + i));
      answer(host, "anonymous", claim(id));
      answer(host, "anonymous", new Unknown("guard", id, 1, "why"));
    }
    for (int i = 0; i < 1_000; i++) {
      GuardedId id = GuardedId.of(Key.text("k" + i));
      ClaimReply again =
          answer(host, "anonymous", new Rerun("guard", new Ask(id, null, "x", memo), 1, TERMS));
      limited += again instanceof Refused ? 1 : 0;
    }
    assertThat(limited).isGreaterThan(100);
    assertThat(host.service.stateBytes()).isLessThan(1 << 20);
  }

  /**
   * Stores whose keys are all dropped make room for new ones, and what they dropped stays known.
   */
  @Test
  void emptyStoresAreGivenBackWithTheirHorizon() {
    GuardedId dated = GuardedId.of(Key.dated(900_000_000, 1));
    Ask ask = new Ask(dated, null, "charge");
    for (int i = 0; i < 3 * ServiceLimits.CLAIM_STORES; i++) {
      String store = "store " + i;
      ClaimReply claimed = done(new Claim(store, ask, TERMS));
      if (claimed.equals(new Refused(Refusal.FORGOTTEN, ""))) {
        assertThat(i).isGreaterThanOrEqualTo(ServiceLimits.CLAIM_STORES / 2);
      } else {
        assertThat(claimed).isEqualTo(new Started(1));
        done(new Release(store, dated, 1));
        claims.timeMillis += 60_000;
        done(new Sweep(store, 10));
      }
      assertThat(done(new Claim(store, ask, TERMS))).isEqualTo(new Refused(Refusal.FORGOTTEN, ""));
    }
    Host successor = claims.successor(fresh());
    assertThat(successor.snapshot()).isEqualTo(claims.snapshot());
    assertThat(successor.service.stateBytes()).isEqualTo(claims.service.stateBytes());
    assertThat(answer(successor, "anonymous", new Claim("store 0", ask, TERMS)))
        .isEqualTo(new Refused(Refusal.FORGOTTEN, ""));
    assertThat(answer(successor, "another", new Claim("store 0", ask, TERMS)))
        .isEqualTo(new Started(1));
  }

  @Test
  void reasonIsCutBetweenCharacters() {
    String why = "x".repeat(1_023) + "\ud83d\ude00";
    assertThat(new Unknown("guard", ID, 1, why).why()).isEqualTo("x".repeat(1_023));
    assertThat(new Unknown("guard", ID, 1, "\ud83d!").why()).isEqualTo("?!");
  }

  @Test
  void whatChangesSomethingIsNoQuery() {
    for (ClaimCommand each :
        List.of(claim(ID), new Sweep("guard", 1), new Release("guard", ID, 1))) {
      assertThat(Host.error(claims.query(ClaimCommand.encode(each))))
          .isEqualTo("this changes a claim: send it as a command, not as a query");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "12, 0, command 18 is unknown; 1 to 17 are allowed",
    "0600, 1, length of store is 0; allowed are 1 to 128",
    "060173e907, 3, limit is 1001; allowed are 0 to 1000",
    "0501730000040000000000000000000000000000000001, 5, "
        + "'no kind of key has the code 4; allowed are 0 (UUID), 1 (DATED), 2 (HASH) and 3 (TEXT)'",
    "0501730000030000000000000000000000000000000000, 22, "
        + "fence is 0; allowed are 1 to 9223372036854775807",
    "030173000003000000000000000000000000000000000104, 23, "
        + "reply kind 4 is unknown; 0 to 3 are allowed",
  })
  void malformedCommandsAreRefusedByPlaceAndReason(String hex, int offset, String reason) {
    assertThat(claims.refused(Bytes.of(HexFormat.of().parseHex(hex))))
        .isEqualTo("malformed command, byte " + offset + ": " + reason);
  }

  @Test
  void clientCannotEvenSayWhatIsOverALimit() {
    assertThatThrownBy(() -> new Sweep("x".repeat(129), 1))
        .hasMessage("store has 129 bytes; allowed are 1 to 128");
    Reply tooLong = Reply.ok(Bytes.of(new byte[ServiceLimits.CLAIM_REPLY_BYTES + 1]));
    assertThatThrownBy(() -> new Done("guard", ID, 1, tooLong))
        .hasMessage("length of reply is 65537; allowed are 0 to 65536");
  }

  @Test
  void layoutsAreAsDocumented() {
    GuardedId id = new GuardedId("p", new Scope("s"), Key.of(Key.Kind.HASH, 1, 2));
    String idHex = "0170" + "0173" + "02" + "0000000000000001" + "0000000000000002";
    Ask ask = new Ask(id, new Fingerprint(3), "op", "me");
    String askHex = idHex + "01" + "0000000000000003" + "026f70" + "026d65";
    ClaimTerms terms = new ClaimTerms(300, 1);
    assertCommand(new Claim("n", ask, terms), "01" + "016e" + askHex + "ac02" + "01");
    assertCommand(
        new Claim("n", new Ask(id, null, "op", "me"), terms),
        "01" + "016e" + idHex + "00" + "026f70" + "026d65" + "ac02" + "01");
    assertCommand(new Rerun("n", ask, 5, terms), "02" + "016e" + askHex + "05" + "ac02" + "01");
    assertCommand(
        new Done("n", id, 5, Reply.businessError("no")),
        "03" + "016e" + idHex + "05" + "01" + "6e6f");
    assertCommand(new Unknown("n", id, 5, "why"), "04" + "016e" + idHex + "05" + "03776879");
    assertCommand(new Release("n", id, 5), "05" + "016e" + idHex + "05");
    assertCommand(new Sweep("n", 300), "06" + "016e" + "ac02");
    assertCommand(new Unknowns("n", 300, 7), "07" + "016e" + "ac02" + "07");
    assertCommand(new Late("n", id), "08" + "016e" + idHex);
    assertCommand(new Recall("n", id), "09" + "016e" + idHex);
    assertCommand(new ClaimCommand.CountOlder("n", -1), "0d" + "016e" + "ffffffffffffffff");
    assertCommand(
        new ClaimCommand.Forget("n", 1, 300), "0e" + "016e" + "0000000000000001" + "ac02");
    assertCommand(
        new ClaimCommand.DatedOnly("n", new Scope("s"), true), "0f" + "016e" + "0173" + "01");
    assertCommand(new ClaimCommand.CountByAge("n", -1), "10" + "016e" + "ffffffffffffffff");
    assertCommand(
        new ClaimCommand.ForgetByAge("n", 1, 300), "11" + "016e" + "0000000000000001" + "ac02");

    UnknownRequest unknown =
        new UnknownRequest(id, "op", "me", 5, Instant.ofEpochMilli(1), 300, "why");
    String unknownHex =
        idHex + "026f70" + "026d65" + "05" + "0000000000000001" + "ac02" + "03776879";
    assertReply(new Started(300), "01" + "ac02");
    assertReply(new Running(300), "02" + "ac02");
    assertReply(new ClaimReply.Done(Reply.ok("ok")), "03" + "00" + "6f6b");
    assertReply(new ClaimReply.Unknown(unknown), "04" + unknownHex);
    assertReply(new Refused(Refusal.OVERLOADED, "L"), "05" + "0c" + "014c");
    assertReply(new DoneAtLength(), "06");
    assertReply(new NotDone(), "07");
    assertReply(new Taken(true), "08" + "01");
    assertReply(new Swept(300), "09" + "ac02");
    assertReply(
        new ClaimReply.Unknowns(List.of(unknown), 300, true),
        "0a" + "01" + "ac02" + "01" + unknownHex);
    assertReply(
        new ClaimReply.Late(List.of(new Evidence(id, 5, Reply.ok("ok"), Instant.ofEpochMilli(1)))),
        "0b" + "01" + idHex + "05" + "00" + "026f6b" + "0000000000000001");
    assertReply(new ClaimReply.Counted(300), "0e" + "ac02");
  }

  private static void assertCommand(ClaimCommand command, String hex) {
    Bytes encoded = ClaimCommand.encode(command);
    assertThat(HexFormat.of().formatHex(encoded.toArray())).isEqualTo(hex);
    assertThat(ClaimCommand.decode(encoded)).isEqualTo(command);
  }

  private static void assertReply(ClaimReply reply, String hex) {
    Bytes encoded = ClaimReply.encode(reply);
    assertThat(HexFormat.of().formatHex(encoded.toArray())).isEqualTo(hex);
    assertThat(ClaimReply.decode(encoded)).isEqualTo(reply);
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
