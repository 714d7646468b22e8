package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ServiceDirectoryTest {
  private static final Bytes ADD = CounterCommand.encode(new CounterCommand.Add("hits", 5));
  private static final Bytes GET = CounterCommand.encode(new CounterCommand.Get("hits"));

  /** Remembers the last command; its payload is the state. */
  private static final class Recorder implements Service {
    Command last;
    Bytes state = Bytes.EMPTY;

    @Override
    public Reply execute(Command command) {
      last = command;
      state = Bytes.of(command.payload().toArray());
      return Reply.ok("executed");
    }

    @Override
    public Reply query(Command question) {
      last = question;
      return Reply.ok("asked");
    }

    @Override
    public Frozen freeze() {
      Bytes frozen = state;
      return out -> {
        // Byte by byte and in a run: the section must not show how it was written.
        for (int i = 0; i < Math.min(10, frozen.length()); i++) {
          out.write(frozen.at(i));
        }
        byte[] all = frozen.toArray();
        out.write(all, Math.min(10, all.length), all.length - Math.min(10, all.length));
      };
    }

    @Override
    public void restore(InputStream in) throws IOException {
      state = Bytes.of(in.readAllBytes());
    }
  }

  /** Leaves the last byte of its state unread. */
  private static final class Careless implements Service {
    @Override
    public Reply execute(Command command) {
      return Reply.ok("");
    }

    @Override
    public Frozen freeze() {
      return out -> out.write(new byte[] {1, 2, 3});
    }

    @Override
    public void restore(InputStream in) throws IOException {
      in.readNBytes(2);
    }
  }

  @Test
  void addressedServiceGetsTheRestOfThePayload() {
    Recorder recorder = new Recorder();
    ServiceDirectory directory = ServiceDirectory.shipped().with("own", recorder);
    Bytes payload = ServiceDirectory.address("own", Bytes.utf8("hello"));
    assertThat(payload).isEqualTo(Bytes.utf8("\u0003ownhello"));
    assertThat(directory.execute(new Command(payload, "ann", 7, 8, 7)))
        .isEqualTo(Reply.ok("executed"));
    assertThat(recorder.last).isEqualTo(new Command(Bytes.utf8("hello"), "ann", 7, 8, 7));
    assertThat(directory.query(new Command(payload, "bob", 9, 10, 9))).isEqualTo(Reply.ok("asked"));
    assertThat(recorder.last).isEqualTo(new Command(Bytes.utf8("hello"), "bob", 9, 10, 9));
    Bytes nothing = ServiceDirectory.address("own", Bytes.EMPTY);
    directory.execute(new Command(nothing, "ann", 11, 12, 11));
    assertThat(recorder.last.payload()).isEqualTo(Bytes.EMPTY);
  }

  /** Fails in whatever is not a command. */
  private static final class Failing implements Service {
    @Override
    public Reply execute(Command command) {
      return Reply.ok("");
    }

    @Override
    public void expire(long ageMillis) {
      throw new IllegalStateException("expire");
    }

    @Override
    public void renamed(String principal, String successor) {
      throw new IllegalStateException("renamed");
    }

    @Override
    public Frozen freeze() {
      return out -> {};
    }

    @Override
    public void restore(InputStream in) {}
  }

  @Test
  void serviceThatFailsKeepsNothingFromTheOthers() {
    List<String> calls = new ArrayList<>();
    Service noting =
        new Service() {
          @Override
          public Reply execute(Command command) {
            return Reply.ok("");
          }

          @Override
          public void expire(long ageMillis) {
            calls.add("expire " + ageMillis);
          }

          @Override
          public void renamed(String principal, String successor) {
            calls.add("renamed " + principal + " " + successor);
          }

          @Override
          public Frozen freeze() {
            return out -> {};
          }

          @Override
          public void restore(InputStream in) {}
        };
    ServiceDirectory directory =
        new ServiceDirectory(Map.of("a", new Failing(), "b", noting, "c", new Failing()));
    assertThatThrownBy(() -> directory.expire(7)).hasMessage("expire");
    assertThatThrownBy(() -> directory.renamed("ann", "eve")).hasMessage("renamed");
    assertThat(calls).containsExactly("expire 7", "renamed ann eve");
  }

  @Test
  void shippedServicesAnswerUnderTheirNames() {
    Host host = new Host(ServiceDirectory.shipped());
    host.done(
        ServiceDirectory.address(
            ServiceDirectory.KEY_VALUE,
            KeyValueCommand.encode(new KeyValueCommand.Put(Bytes.utf8("a"), Bytes.utf8("b")))));
    host.done(ServiceDirectory.address(ServiceDirectory.COUNTER, ADD));
    host.done(
        ServiceDirectory.address(
            ServiceDirectory.LEASE,
            LeaseCommand.encode(new LeaseCommand.Acquire("job", "ann", 500))));
    assertThat(counterIn(host)).isEqualTo(5);
  }

  @Test
  void unknownNameIsRefusedTheSameOnEveryNode() {
    Host host = new Host(ServiceDirectory.shipped());
    assertThat(host.refused(ServiceDirectory.address("ledger", ADD)))
        .isEqualTo("there is no service called ledger");
    assertThat(Host.error(host.query(ServiceDirectory.address("k", ADD))))
        .isEqualTo("there is no service called k");
  }

  @Test
  void payloadWithoutANameIsRefused() {
    Host host = new Host(ServiceDirectory.shipped());
    String refusal = "the payload does not begin with the name of a service";
    assertThat(host.refused(Bytes.EMPTY)).isEqualTo(refusal);
    assertThat(host.refused(Bytes.of(new byte[] {0, 1}))).isEqualTo(refusal);
    for (int length = 1; length < 3; length++) {
      assertThat(host.refused(ServiceDirectory.address("kv", ADD).slice(0, length)))
          .isEqualTo(refusal);
    }
    assertThat(host.refused(Bytes.of(new byte[] {(byte) 255, 'k', 'v'}))).isEqualTo(refusal);
  }

  @Test
  void noPayloadIsAnsweredByAnException() {
    Host host = new Host(ServiceDirectory.shipped());
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 50_000; i++) {
      byte[] payload = new byte[random.nextInt(12)];
      random.nextBytes(payload);
      if (payload.length > 2 && random.nextBoolean()) {
        payload[0] = 2;
        payload[1] = 'k';
        payload[2] = 'v';
      }
      host.query(Bytes.of(payload));
      host.execute(Bytes.of(payload));
    }
  }

  @Test
  void namesAreChecked() {
    for (String name : new String[] {"", "Ledger", "a b", "ä", "a/b", "x".repeat(65)}) {
      assertThatThrownBy(() -> ServiceDirectory.address(name, ADD))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 64 letters a to z, digits and hyphens, got \"" + name);
      assertThatThrownBy(() -> new ServiceDirectory(Map.of(name, new Recorder())))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> ServiceDirectory.shipped().with("kv", new Recorder()))
        .hasMessage("there is a service called kv already");
    Map<String, Service> many = new TreeMap<>();
    for (int i = 0; i < 256; i++) {
      many.put("s" + i, new Recorder());
    }
    assertThatThrownBy(() -> new ServiceDirectory(many))
        .hasMessage("number of services is 256; allowed are 0 to 255");
    many.remove("s0");
    Host host = new Host(new ServiceDirectory(many));
    host.done(ServiceDirectory.address("s255", ADD));
    host.restore(host.snapshot());
  }

  @Test
  void servicesAreFrozenAndRestoredTogether() {
    Recorder recorder = new Recorder();
    Host host = new Host(ServiceDirectory.shipped().with("own", recorder));
    host.done(ServiceDirectory.address("counter", ADD));
    for (int size : new int[] {0, 1, 9, 11, 32_767, 32_768, 32_769, 65_536, 100_000}) {
      host.done(ServiceDirectory.address("own", Bytes.of(new byte[size])));
      Frozen frozen = host.service.freeze();
      byte[] before = host.snapshot();
      Recorder other = new Recorder();
      Host successor = host.successor(ServiceDirectory.shipped().with("own", other));
      assertThat(other.state).isEqualTo(recorder.state);
      assertThat(counterIn(successor)).isEqualTo(counterIn(host));
      assertThat(successor.snapshot()).isEqualTo(before);
      host.done(ServiceDirectory.address("counter", ADD));
      assertThat(Host.write(frozen)).isEqualTo(before);
    }
  }

  @Test
  void stateOfAServiceThatIsMissingIsNotLostSilently() {
    byte[] snapshot = new Host(ServiceDirectory.shipped().with("own", new Recorder())).snapshot();
    assertThatThrownBy(() -> ServiceDirectory.shipped().restore(new ByteArrayInputStream(snapshot)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "there is a state of the service \"own\", which is not hosted here; hosted are claims,"
                + " counter, kv, lease");
  }

  @Test
  void serviceThatIsNewSinceTheSnapshotStartsEmpty() {
    Host old = new Host(ServiceDirectory.shipped());
    old.done(ServiceDirectory.address("counter", ADD));
    Recorder recorder = new Recorder();
    Host host = new Host(ServiceDirectory.shipped().with("own", recorder));
    host.done(ServiceDirectory.address("own", Bytes.utf8("something")));
    host.restore(old.snapshot());
    assertThat(recorder.state).isEqualTo(Bytes.EMPTY);
    assertThat(counterIn(host)).isEqualTo(5);
  }

  @Test
  void serviceThatLeavesStateUnreadIsNamed() {
    byte[] snapshot = new Host(new ServiceDirectory(Map.of("own", new Careless()))).snapshot();
    assertThatThrownBy(
            () ->
                new ServiceDirectory(Map.of("own", new Careless()))
                    .restore(new ByteArrayInputStream(snapshot)))
        .isInstanceOf(IOException.class)
        .hasMessage("the service own has not read all of its state");
  }

  @Test
  void damagedStateIsAnIOException() {
    Host host = new Host(ServiceDirectory.shipped());
    host.done(ServiceDirectory.address("counter", ADD));
    byte[] snapshot = host.snapshot();
    for (int length = 0; length < snapshot.length; length++) {
      byte[] cut = Arrays.copyOf(snapshot, length);
      assertThatThrownBy(() -> ServiceDirectory.shipped().restore(new ByteArrayInputStream(cut)))
          .isInstanceOf(IOException.class);
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 5_000; i++) {
      byte[] flipped = snapshot.clone();
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        ServiceDirectory.shipped().restore(new ByteArrayInputStream(flipped));
      } catch (IOException e) {
        assertThat(e).isNotNull();
      }
    }
  }

  /** The way that it goes in a node: through the log, and a snapshot of the whole replica. */
  @Test
  void directoryLivesInAReplica() throws IOException {
    Replica replica = new Replica(ServiceDirectory.shipped());
    Request unkeyed = new Request.Unkeyed(ServiceDirectory.address("counter", ADD));
    byte[] entry =
        new LogEntry(
                0,
                1_000,
                List.of(
                    new LogEntry.Proposal("ann", new Request.EnableService("counter")),
                    new LogEntry.Proposal("ann", Bytes.of(RequestCodec.encode(unkeyed))),
                    new LogEntry.Proposal("ann", Bytes.of(RequestCodec.encode(unkeyed)))))
            .encode();
    replica.apply(1, 1, entry, null);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    replica.freeze().writeTo(out);
    Replica restored =
        Replica.restore(ServiceDirectory.shipped(), new ByteArrayInputStream(out.toByteArray()));
    Reply reply = restored.query("ann", ServiceDirectory.address("counter", GET));
    assertThat(CounterReply.decode(Host.ok(reply)).value()).isEqualTo(10);
    assertThat(restored.digest()).isEqualTo(replica.digest());
  }

  private static long counterIn(Host host) {
    return CounterReply.decode(host.told(ServiceDirectory.address("counter", GET))).value();
  }
}
