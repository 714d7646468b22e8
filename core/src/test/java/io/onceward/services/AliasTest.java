package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.services.ClaimReply.Refused;
import io.onceward.services.ClaimReply.Started;
import io.onceward.services.ClaimReply.Swept;
import io.onceward.services.ClaimReply.Taken;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Renaming a principal must not cut it off from its stores of claims (L3). */
class AliasTest {
  private static final GuardedId ID = GuardedId.of("user", Key.text("order 1"));
  private static final GuardedId DATED = GuardedId.of("user", Key.dated(900_000_000, 1));
  private static final ClaimTerms TERMS = new ClaimTerms(1_000, 60_000);
  private static final Reply PAID = Reply.ok("paid");

  private final ClusterId cluster = new ClusterId(7, 11);
  private Replica replica = new Replica(ServiceDirectory.shipped());
  private long position;
  private long timeMillis = 1_000_000;

  AliasTest() {
    apply("admin", new Request.FormCluster(cluster), 0);
    apply("admin", new Request.EnableService(ServiceDirectory.CLAIMS), cluster.tag());
  }

  @Test
  void newNameOfAPrincipalFindsItsStores() {
    decided("anonymous", ID);
    assertThat(alias("alice", "anonymous")).isEqualTo(new Decision.Done());
    assertThat(claims("alice", claim(ID))).isEqualTo(new ClaimReply.Done(PAID));
    assertThat(
            ClaimReply.decode(
                replica.query("alice", addressed(new ClaimCommand.Recall("guard", ID))).bytes()))
        .isEqualTo(new ClaimReply.Done(PAID));
    assertThat(claims("anonymous", claim(ID))).isEqualTo(new ClaimReply.Done(PAID));
  }

  /** What alice has claimed would be claimed again as anonymous, and happen twice. */
  @Test
  void nameThatOwnsClaimsCannotBecomeAnother() {
    decided("alice", ID);
    assertThat(alias("alice", "anonymous")).isInstanceOf(Decision.Rejected.class);
    assertThat(alias("alice", "anonymous").toString()).contains("claims");
    assertThat(claims("alice", claim(ID))).isEqualTo(new ClaimReply.Done(PAID));
    restore();
    assertThat(alias("alice", "anonymous")).isInstanceOf(Decision.Rejected.class);
    // Nothing is in the way any more once they are gone.
    timeMillis += 10;
    assertThat(claims("alice", new ClaimCommand.Forget("guard", timeMillis, 10)))
        .isEqualTo(new Swept(1));
    assertThat(alias("alice", "anonymous")).isEqualTo(new Decision.Done());
  }

  @Test
  void nameWithAScopeSettingCannotBecomeAnother() {
    Scope shop = new Scope("shop");
    assertThat(claims("alice", new ClaimCommand.DatedOnly("guard", shop, true)))
        .isEqualTo(new Taken(true));
    assertThat(alias("alice", "anonymous")).isInstanceOf(Decision.Rejected.class);
    claims("alice", new ClaimCommand.DatedOnly("guard", shop, false));
    assertThat(alias("alice", "anonymous")).isEqualTo(new Decision.Done());
  }

  /** The other way round as well: a name that means a principal already takes it along. */
  @Test
  void principalOfAnAliasKeepsItsStoresToo() {
    decided("anonymous", ID);
    assertThat(alias("alice", "anonymous")).isEqualTo(new Decision.Done());
    assertThat(alias("alice", "bob")).isInstanceOf(Decision.Rejected.class);
    assertThat(claims("alice", claim(ID))).isEqualTo(new ClaimReply.Done(PAID));
  }

  /** What alice's stores have dropped is refused as anonymous too, in old stores and new (K5). */
  @Test
  void whatWasDroppedStaysForgottenUnderTheOtherName() {
    claims("anonymous", claim(ID));
    decided("alice", DATED);
    timeMillis += 10;
    claims("alice", new ClaimCommand.Forget("guard", timeMillis, 10));
    assertThat(claims("anonymous", claim(DATED))).as("of somebody else").isEqualTo(new Started(1));
    claims("anonymous", new ClaimCommand.Release("guard", DATED, 1));
    timeMillis += 60_000;
    decided("carol", DATED);
    timeMillis += 10;
    claims("carol", new ClaimCommand.Forget("guard", timeMillis, 10));
    assertThat(alias("carol", "dave")).isEqualTo(new Decision.Done());
    assertThat(claims("carol", claim(DATED))).isEqualTo(new Refused(Refusal.FORGOTTEN, ""));
    assertThat(alias("alice", "erin")).isEqualTo(new Decision.Done());
    restore();
    assertThat(claims("alice", claim(DATED))).isEqualTo(new Refused(Refusal.FORGOTTEN, ""));
    assertThat(claims("dave", claim(DATED))).isEqualTo(new Refused(Refusal.FORGOTTEN, ""));
  }

  /** A straggler of a dropped run is not taken for a run under the other name. */
  @Test
  void fencesOfDroppedRunsAreKnownUnderTheOtherName() {
    decided("alice", ID);
    timeMillis += 10;
    claims("alice", new ClaimCommand.Forget("guard", timeMillis, 10));
    assertThat(alias("alice", "anonymous")).isEqualTo(new Decision.Done());
    restore();
    assertThat(claims("alice", claim(ID))).isEqualTo(new Started(3));
    assertThat(claims("alice", new ClaimCommand.Release("guard", ID, 1)))
        .isEqualTo(new Taken(false));
  }

  @Test
  void horizonReachesStoresThatAreThere() {
    claims("anonymous", claim(ID));
    decided("alice", DATED);
    timeMillis += 10;
    claims("alice", new ClaimCommand.Forget("guard", timeMillis, 10));
    long bytes = replica.serviceBytes();
    assertThat(alias("alice", "anonymous")).isEqualTo(new Decision.Done());
    assertThat(claims("alice", claim(DATED))).isEqualTo(new Refused(Refusal.FORGOTTEN, ""));
    assertThat(replica.serviceBytes()).as("nothing stays of the other").isLessThan(bytes);
    assertThat(claims("alice", claim(ID))).isInstanceOf(ClaimReply.Running.class);
    String state = replica.digest();
    restore();
    assertThat(replica.digest()).isEqualTo(state);
  }

  private void decided(String principal, GuardedId id) {
    assertThat(claims(principal, claim(id))).isInstanceOf(Started.class);
    claims(principal, new ClaimCommand.Done("guard", id, 1, PAID));
  }

  private static ClaimCommand claim(GuardedId id) {
    return new ClaimCommand.Claim("guard", new Ask(id, null, "charge"), TERMS);
  }

  private Decision alias(String name, String principal) {
    return apply("admin", new Request.Alias(name, principal), cluster.tag());
  }

  /** As a request that leaves nothing behind in the tables: no key, no session. */
  private ClaimReply claims(String principal, ClaimCommand command) {
    Decision decision = apply(principal, new Request.Unkeyed(addressed(command)), cluster.tag());
    return ClaimReply.decode(((Decision.Replied) decision).reply().bytes());
  }

  private static Bytes addressed(ClaimCommand command) {
    return ServiceDirectory.address(ServiceDirectory.CLAIMS, ClaimCommand.encode(command));
  }

  private Decision apply(String principal, Request request, long clusterTag) {
    List<Decision> decisions = new ArrayList<>();
    LogEntry entry =
        new LogEntry(clusterTag, timeMillis, List.of(new LogEntry.Proposal(principal, request)));
    replica.apply(++position, 1, entry.encode(), (ordinal, decision) -> decisions.add(decision));
    return decisions.get(0);
  }

  private void restore() {
    try {
      ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
      replica.freeze().writeTo(snapshot);
      replica =
          Replica.restore(
              ServiceDirectory.shipped(), new ByteArrayInputStream(snapshot.toByteArray()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
