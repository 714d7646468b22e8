package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Decision.Replied;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.Service;
import io.onceward.replica.LogEntry;
import io.onceward.replica.MissingServiceException;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The log decides which services exist, whatever a node hosts (T1, E8). */
class EnabledServicesTest {
  private static final Key KEY = Key.text("k");
  private static final Request ADD =
      new Request.Keyed(
          Scope.NONE,
          KEY,
          null,
          List.of(),
          ServiceDirectory.address(
              "counter", CounterCommand.encode(new CounterCommand.Add("c", 5))));

  private final List<byte[]> log = new ArrayList<>();

  /** Execution 26: half of the nodes know the service when a command for it arrives. */
  @Test
  void rollingRestartThatAddsAServiceGivesOneStateAndOneReply() {
    Replica old = new Replica(services("kv"));
    Replica restarted = new Replica(services("kv", "counter"));
    logged(new Request.EnableService("kv"));
    logged(ADD);
    Reply refusal = Reply.businessError("there is no service called counter");
    assertThat(replies(old, 0)).containsExactly(refusal);
    assertThat(replies(restarted, 0)).containsExactly(refusal);
    assertThat(restarted.digest()).isEqualTo(old.digest());

    logged(new Request.EnableService("counter"));
    logged(ADD);
    logged(new Request.Unkeyed(((Request.Keyed) ADD).command()));
    assertThat(replies(restarted, 2)).startsWith(refusal).hasSize(2);
    String before = old.digest();
    assertThatThrownBy(() -> replies(old, 2))
        .isInstanceOf(MissingServiceException.class)
        .hasMessageContaining("entry 3 enables the service counter")
        .hasMessageContaining("hosted are kv");
    assertThat(old.digest()).isEqualTo(before);

    Replica upgraded = new Replica(services("kv", "counter", "lease"));
    assertThat(replies(upgraded, 0)).startsWith(refusal, refusal).hasSize(3);
    assertThat(upgraded.digest()).isEqualTo(restarted.digest());
    assertThat(upgraded.enabledServices()).containsExactly("counter", "kv");
  }

  /** It is refused as a whole, so a service in it need not be here. */
  @Test
  void repeatedFormationNeedsNoService() {
    Replica replica = new Replica(services("kv"));
    form(new ClusterId(1, 2), "kv");
    form(new ClusterId(3, 4), "lease");
    replies(replica, 0);
    assertThat(replica.clusterId()).isEqualTo(new ClusterId(1, 2));
    assertThat(replica.enabledServices()).containsExactly("kv");
  }

  private void form(ClusterId id, String service) {
    List<LogEntry.Proposal> first =
        List.of(
            new LogEntry.Proposal("onceward", new Request.FormCluster(id)),
            new LogEntry.Proposal("onceward", new Request.EnableService(service)));
    log.add(new LogEntry(0, 1_000, first).encode());
  }

  @Test
  void snapshotNamesTheServicesThatItNeeds() throws IOException {
    Replica replica = new Replica(services("kv", "counter"));
    logged(new Request.EnableService("counter"));
    logged(ADD);
    replies(replica, 0);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    replica.freeze().writeTo(out);
    byte[] snapshot = out.toByteArray();
    assertThatThrownBy(() -> Replica.restore(services("kv"), new ByteArrayInputStream(snapshot)))
        .isInstanceOf(MissingServiceException.class)
        .hasMessageContaining("a state of the service counter");
    Replica restored =
        Replica.restore(services("counter", "lease"), new ByteArrayInputStream(snapshot));
    assertThat(restored.digest()).isEqualTo(replica.digest());
    assertThat(restored.enabledServices()).containsExactly("counter");
    assertThat(restored.query("ann", ServiceDirectory.address("lease", Bytes.EMPTY)))
        .isEqualTo(Reply.businessError("there is no service called lease"));
  }

  /** What a service takes that is not in force must not decide whether others have room. */
  @Test
  void onlyServicesInForceCount() {
    ServiceDirectory more = new ServiceDirectory(Map.of("big", new TextOfSize()));
    assertThat(more.stateBytes()).isEqualTo(100);
    more.enable(new java.util.TreeSet<>());
    assertThat(more.stateBytes()).isZero();
  }

  private static final class TextOfSize implements Service {
    @Override
    public Reply execute(io.onceward.Command command) {
      return Reply.ok("");
    }

    @Override
    public long stateBytes() {
      return 100;
    }

    @Override
    public io.onceward.Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(java.io.InputStream in) {}
  }

  private static Service services(String... names) {
    Map<String, Service> all =
        Map.of(
            "kv", new KeyValueService(),
            "counter", new CounterService(),
            "lease", new LeaseService());
    Map<String, Service> hosted = new java.util.TreeMap<>();
    for (String name : names) {
      hosted.put(name, all.get(name));
    }
    return new ServiceDirectory(hosted);
  }

  private void logged(Request request) {
    log.add(new LogEntry(0, 1_000, List.of(new LogEntry.Proposal("ann", request))).encode());
  }

  /** What commands were answered from the entry on that stands behind so many. */
  private List<Reply> replies(Replica replica, int from) {
    List<Decision> decisions = new ArrayList<>();
    for (int i = from; i < log.size(); i++) {
      replica.apply(i + 1L, 1, log.get(i), (ordinal, decision) -> decisions.add(decision));
    }
    return decisions.stream()
        .filter(Replied.class::isInstance)
        .map(decision -> ((Replied) decision).reply())
        .toList();
  }
}
