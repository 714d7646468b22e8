package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Command;
import io.onceward.DamagedException;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What a replica did because of a quarantine is part of its state, and agreed on (E8). */
class QuarantineTest {
  private static final Request COMMAND = new Request.Unkeyed(Bytes.utf8("x"));
  private static final LogPlace PLACE = new LogPlace(1, 0);

  private final Replica obeys = obeying();
  private final Replica executes = new Replica(new Idle());

  private static Replica obeying() {
    Replica replica = new Replica(new Idle());
    replica.quarantine(PLACE.position(), PLACE.ordinal());
    return replica;
  }

  @Test
  void obeyedQuarantineIsPartOfTheStateUntilConfirmedAndAfter() throws IOException {
    Replica told = obeying();
    told.quarantine(77, 0);
    apply(told, 1, COMMAND);
    apply(obeys, 1, COMMAND);
    apply(executes, 1, COMMAND);
    assertThat(obeys.unconfirmedQuarantines()).containsExactly(PLACE);
    assertThat(told.digest()).as("orders are no part of the state").isEqualTo(obeys.digest());
    assertThat(executes.digest()).isNotEqualTo(obeys.digest());
    assertThat(restored(obeys).unconfirmedQuarantines()).containsExactly(PLACE);

    String unconfirmed = obeys.digest();
    apply(obeys, 2, confirm(1, PLACE));
    apply(told, 2, new Request.Tick());
    assertThat(obeys.unconfirmedQuarantines()).isEmpty();
    assertThat(obeys.digest()).isNotEqualTo(unconfirmed).isNotEqualTo(told.digest());
    Replica restored = restored(obeys);
    assertThat(restored.digest()).isEqualTo(obeys.digest());
    assertThatCode(() -> apply(restored, 3, confirm(1, PLACE)))
        .as("a leader that was deposed may say it again")
        .doesNotThrowAnyException();
  }

  @Test
  void replicaThatExecutedStopsBeforeAnythingChanges() {
    apply(executes, 1, COMMAND);
    String before = executes.digest();
    assertThatThrownBy(() -> apply(executes, 2, new Request.Tick(), confirm(1, PLACE)))
        .isInstanceOf(DifferentQuarantinesException.class)
        .hasMessageContaining("it executed request 1/0, which the leader answered as FAILED")
        .hasMessageContaining("Nothing of entry 2")
        .hasMessageContaining("with --quarantine 1/0")
        .hasMessageContaining("empty its data folder, and add it again with --join");
    assertThat(executes.digest()).isEqualTo(before);
    assertThat(executes.position()).isEqualTo(1);
  }

  @Test
  void replicaThatAloneObeyedStopsBeforeAnythingChanges() {
    apply(obeys, 1, COMMAND);
    String before = obeys.digest();
    assertThatThrownBy(() -> apply(obeys, 2, confirm(1)))
        .isInstanceOf(DifferentQuarantinesException.class)
        .hasMessageContaining("it answered request 1/0 as FAILED")
        .hasMessageContaining("without --quarantine 1/0");
    assertThat(obeys.digest()).isEqualTo(before);
  }

  /** The leader said so before it came to that request; it may say it later. */
  @Test
  void laterQuarantineIsNotHeldAgainstAnEarlierWord() {
    obeys.quarantine(2, 0);
    apply(obeys, 1, COMMAND);
    apply(obeys, 2, COMMAND);
    apply(obeys, 3, confirm(1, PLACE));
    assertThat(obeys.unconfirmedQuarantines()).containsExactly(new LogPlace(2, 0));
  }

  @Test
  void quarantineThatWasNotReachedIsNotConfirmed() {
    Request keyed = new Request.SetParameter(Parameter.DEFAULT_WINDOW, 7);
    apply(obeys, 1, keyed);
    assertThat(obeys.unconfirmedQuarantines()).isEmpty();
    apply(obeys, 2, confirm(1));
  }

  @Test
  void onlyTheLatestAreRememberedAndOlderAreNotJudged() throws IOException {
    for (int ordinal = 0; ordinal < Limits.QUARANTINED; ordinal++) {
      obeys.quarantine(1, ordinal);
    }
    assertThatThrownBy(() -> obeys.quarantine(2, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 256");
    Request[] commands = new Request[Limits.QUARANTINED];
    Arrays.fill(commands, COMMAND);
    apply(obeys, 1, commands);
    assertThat(obeys.unconfirmedQuarantines()).hasSize(Limits.QUARANTINED);

    Replica next = restored(obeys);
    next.quarantine(2, 0);
    apply(next, 2, COMMAND);
    assertThat(next.unconfirmedQuarantines())
        .hasSize(Limits.QUARANTINED)
        .doesNotContain(PLACE)
        .contains(new LogPlace(2, 0));
    List<LogPlace> all = new ArrayList<>(obeys.unconfirmedQuarantines());
    apply(next, 3, confirm(1, all.toArray(LogPlace[]::new)));
    assertThat(next.unconfirmedQuarantines()).containsExactly(new LogPlace(2, 0));
  }

  @Test
  void damagedPlacesOfSnapshotsAndFramesAreDetected() {
    assertThatThrownBy(
            () -> RequestCodec.encode(confirm(5, new LogPlace(3, 1), new LogPlace(3, 1))))
        .isInstanceOf(IllegalArgumentException.class);
    byte[] frame = RequestCodec.encode(confirm(5, new LogPlace(3, 1), new LogPlace(3, 2)));
    frame[frame.length - 1] = 1;
    assertThatThrownBy(() -> RequestCodec.decode(Bytes.of(frame)))
        .isInstanceOf(DamagedException.class)
        .hasMessageContaining("the places are not in order");
  }

  @Test
  void comparingIsHeardAndChangesNothingElse() {
    apply(obeys, 1, new Request.CompareDigests());
    assertThat(obeys.asksForDigest()).isTrue();
    String frozen = obeys.freezeDigest().get();
    assertThat(frozen).isEqualTo(obeys.digest());
    apply(executes, 1, new Request.Tick());
    assertThat(executes.asksForDigest()).isFalse();
    assertThat(executes.digest()).isEqualTo(frozen);

    Bytes digest = Bytes.of(new byte[Request.NameDigest.DIGEST_BYTES]);
    apply(obeys, 2, new Request.CompareDigests(), new Request.NameDigest(1, digest));
    assertThat(obeys.namedDigest()).isEqualTo(new Request.NameDigest(1, digest));
    assertThat(obeys.asksForDigest()).isTrue();
    apply(obeys, 3, new Request.Tick());
    assertThat(obeys.namedDigest()).isNull();
    assertThat(obeys.asksForDigest()).isFalse();
  }

  private static Request confirm(long upTo, LogPlace... places) {
    return new Request.ConfirmQuarantines(upTo, List.of(places));
  }

  private static void apply(Replica replica, long position, Request... requests) {
    applyTo(ClusterId.NONE, replica, position, requests);
  }

  private static void applyTo(
      ClusterId cluster, Replica replica, long position, Request... requests) {
    replica.apply(position, 1, entry(cluster, requests), null);
  }

  private static byte[] entry(ClusterId cluster, Request... requests) {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (Request request : requests) {
      proposals.add(new LogEntry.Proposal("ann", request));
    }
    return new LogEntry(cluster.tag(), 1_000, proposals).encode();
  }

  private static Replica restored(Replica replica) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    replica.freeze().writeTo(out);
    return Replica.restore(new Idle(), new ByteArrayInputStream(out.toByteArray()));
  }

  /** Dies of whatever it is asked for, and of time that passes when it is not to. */
  private static final class Mortal implements Service {
    boolean diesOfTime;

    @Override
    public Reply execute(Command command) {
      if (command.payload().equals(Bytes.utf8("die"))) {
        throw new StackOverflowError();
      }
      return Reply.ok("done");
    }

    @Override
    public void expire(long ageMillis) {
      if (diesOfTime) {
        throw new StackOverflowError();
      }
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }

  @Test
  void onlyTheRequestThatStoppedAReplicaIsNamed() {
    Mortal service = new Mortal();
    Replica replica = new Replica(service);
    apply(replica, 1, COMMAND, COMMAND, COMMAND);
    assertThat(replica.ordinal()).isEqualTo(Replica.BETWEEN_REQUESTS);
    service.diesOfTime = true;
    assertThatThrownBy(() -> apply(replica, 2, COMMAND)).isInstanceOf(StackOverflowError.class);
    assertThat(replica.ordinal()).isEqualTo(Replica.BETWEEN_REQUESTS);
    assertThatThrownBy(() -> apply(replica, 3, COMMAND))
        .hasMessage("this replica stopped inside entry 2; restore it from a snapshot");

    Replica other = new Replica(new Mortal());
    Request deadly = new Request.Unkeyed(Bytes.utf8("die"));
    assertThatThrownBy(() -> apply(other, 1, COMMAND, deadly))
        .isInstanceOf(StackOverflowError.class);
    assertThat(other.ordinal()).isEqualTo(1);
    assertThatThrownBy(() -> apply(other, 2, COMMAND))
        .hasMessageContaining("inside entry 1, request 1; ")
        .hasMessageContaining("quarantine that request if it must not run again");
  }

  /** The service takes part in some of an administrator's requests; nobody gets past those else. */
  @Test
  void administratorsRequestThatStopsTheServiceIsQuarantinedToo() throws IOException {
    Request alias = new Request.Alias("alice", "bob");
    Request enabling = new Request.EnableService("extra");
    Replica stopped = new Replica(new Picky());
    assertThatThrownBy(() -> apply(stopped, 1, COMMAND, alias))
        .isInstanceOf(StackOverflowError.class);
    assertThat(stopped.ordinal()).isEqualTo(1);

    Replica replica = new Replica(new Picky());
    replica.quarantine(1, 1);
    replica.quarantine(1, 2);
    List<Decision> decisions = new ArrayList<>();
    byte[] entry = entry(ClusterId.NONE, COMMAND, alias, enabling);
    replica.apply(1, 1, entry, (ordinal, decision) -> decisions.add(decision));
    assertThat(decisions.get(0)).isInstanceOf(Decision.Replied.class);
    assertThat(decisions.subList(1, 3)).allMatch(Decision.Rejected.class::isInstance);
    assertThat(replica.enabledServices()).isEmpty();
    assertThat(replica.unconfirmedQuarantines())
        .containsExactly(new LogPlace(1, 1), new LogPlace(1, 2));
    apply(replica, 2, confirm(1, new LogPlace(1, 1), new LogPlace(1, 2)), COMMAND);
    assertThat(replica.unconfirmedQuarantines()).isEmpty();
    assertThat(restored(replica).digest()).isEqualTo(replica.digest());
  }

  /** Has no stack left for what administrators ask. */
  private static final class Picky extends Idle {
    @Override
    public boolean owns(String principal) {
      throw new StackOverflowError();
    }

    @Override
    public SortedSet<String> offers() {
      return new TreeSet<>(List.of("extra"));
    }

    @Override
    public void enable(SortedSet<String> names) {
      if (!names.isEmpty()) {
        throw new StackOverflowError();
      }
    }
  }

  @Test
  void quarantineOfAnotherClusterIsNotObeyed() {
    ClusterId here = new ClusterId(1, 2);
    Replica replica = new Replica(new Idle());
    replica.quarantine(new LogPlace(2, 0), new ClusterId(3, 4));
    replica.quarantine(new LogPlace(2, 1), here);
    apply(replica, 1, new Request.FormCluster(here));
    applyTo(here, replica, 2, COMMAND, COMMAND);
    assertThat(replica.unconfirmedQuarantines()).containsExactly(new LogPlace(2, 1));
  }

  /** Executes and remembers nothing. */
  private static class Idle implements Service {
    @Override
    public Reply execute(Command command) {
      return Reply.ok("done");
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }
}
