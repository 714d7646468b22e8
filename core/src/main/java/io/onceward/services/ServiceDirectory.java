package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hosts several services under their names as one. A payload begins with the name (one byte length,
 * then ASCII), and what follows is for that service. Services know nothing of each other; they are
 * frozen and restored together.
 *
 * <p>In a replica the log says which of them are in force ({@link #enable}); by itself a directory
 * has all of them.
 */
public final class ServiceDirectory implements Service {
  /** The key-value service: {@link KeyValueCommand}, {@link KeyValueReply}. */
  public static final String KEY_VALUE = "kv";

  /** The counter service: {@link CounterCommand}, {@link CounterReply}. */
  public static final String COUNTER = "counter";

  /** The lease service: {@link LeaseCommand}, {@link LeaseReply}. */
  public static final String LEASE = "lease";

  /** The store of guards: {@link ClaimCommand}, {@link ClaimReply}. */
  public static final String CLAIMS = "claims";

  private static final int SNAPSHOT_VERSION = 2;
  private static final int NAME_BYTES = 64;
  private static final int MOST_SERVICES = 255;

  /**
   * A service and what it was before the first command, to which it returns when a snapshot is
   * restored that knows nothing of it.
   */
  private record Hosted(Bytes name, Service service, byte[] untouched) {}

  private final TreeMap<String, Service> services;
  private final List<Hosted> hosted = new ArrayList<>();
  private final String names;
  private List<Hosted> enabled;

  /**
   * Hosts these services, which nobody else may use, and which have executed nothing.
   *
   * @throws IllegalArgumentException if a name is not 1 to 64 letters a to z, digits and hyphens,
   *     or there are more than 255
   */
  public ServiceDirectory(Map<String, Service> services) {
    ServiceLimits.checkNumber("number of services", services.size(), 0, MOST_SERVICES);
    this.services = new TreeMap<>(services);
    this.names = String.join(", ", this.services.keySet());
    this.services.forEach(
        (name, service) ->
            hosted.add(new Hosted(Bytes.utf8(checked(name)), service, stateOf(service))));
    this.enabled = List.copyOf(hosted);
  }

  @Override
  public SortedSet<String> offers() {
    return Collections.unmodifiableSortedSet(services.navigableKeySet());
  }

  @Override
  public void enable(SortedSet<String> names) {
    enabled = hosted.stream().filter(each -> names.contains(each.name().asText())).toList();
  }

  /** The services that come with Onceward. */
  public static ServiceDirectory shipped() {
    TreeMap<String, Service> services = new TreeMap<>();
    services.put(KEY_VALUE, new KeyValueService());
    services.put(COUNTER, new CounterService());
    services.put(LEASE, new LeaseService());
    services.put(CLAIMS, new ClaimService());
    return new ServiceDirectory(services);
  }

  /**
   * This directory with one service more; use the new one from here on.
   *
   * @throws IllegalArgumentException if the name is taken, or no name
   */
  public ServiceDirectory with(String name, Service service) {
    TreeMap<String, Service> more = new TreeMap<>(services);
    if (more.putIfAbsent(name, service) != null) {
      throw new IllegalArgumentException("there is a service called " + name + " already");
    }
    return new ServiceDirectory(more);
  }

  /** The payload that asks the named service. */
  public static Bytes address(String service, Bytes payload) {
    int length = checked(service).length();
    byte[] addressed = new byte[1 + length + payload.length()];
    addressed[0] = (byte) length;
    for (int i = 0; i < length; i++) {
      addressed[1 + i] = (byte) service.charAt(i);
    }
    payload.copyTo(addressed, 1 + length);
    return Bytes.of(addressed);
  }

  private static String checked(String name) {
    boolean sound = !name.isEmpty() && name.length() <= NAME_BYTES;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      sound &= c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-';
    }
    if (!sound) {
      throw new IllegalArgumentException(
          "the name of a service is 1 to "
              + NAME_BYTES
              + " letters a to z, digits and hyphens, got \""
              + name
              + "\"");
    }
    return name;
  }

  @Override
  public Reply execute(Command command) {
    Hosted addressee = addressee(command.payload());
    return addressee == null
        ? nobody(command.payload())
        : addressee.service().execute(opened(addressee, command));
  }

  @Override
  public String obstacle(Command command, long bytesLeft) {
    Hosted addressee = addressee(command.payload());
    return addressee == null
        ? ""
        : addressee.service().obstacle(opened(addressee, command), bytesLeft);
  }

  @Override
  public long stateBytes() {
    long bytes = 0;
    for (int i = 0; i < enabled.size(); i++) {
      bytes += enabled.get(i).service().stateBytes();
    }
    return bytes;
  }

  @Override
  public void expire(long ageMillis) {
    tellAll(service -> service.expire(ageMillis));
  }

  @Override
  public boolean canExpire() {
    for (int i = 0; i < enabled.size(); i++) {
      if (enabled.get(i).service().canExpire()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean owns(String principal) {
    for (int i = 0; i < enabled.size(); i++) {
      if (enabled.get(i).service().owns(principal)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void renamed(String principal, String successor) {
    tellAll(service -> service.renamed(principal, successor));
  }

  /** One that fails keeps nothing from those after it; its exception is thrown when all know. */
  private void tellAll(Consumer<Service> news) {
    RuntimeException failed = null;
    for (int i = 0; i < enabled.size(); i++) {
      try {
        news.accept(enabled.get(i).service());
      } catch (RuntimeException problem) {
        failed = failed == null ? problem : failed;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  @Override
  public Reply query(Command question) {
    Hosted addressee = addressee(question.payload());
    return addressee == null
        ? nobody(question.payload())
        : addressee.service().query(opened(addressee, question));
  }

  private @Nullable Hosted addressee(Bytes payload) {
    int length = payload.length() == 0 ? 0 : payload.at(0) & 0xff;
    if (length < payload.length()) {
      Bytes name = payload.slice(1, length);
      for (int i = 0; i < enabled.size(); i++) {
        if (enabled.get(i).name().equals(name)) {
          return enabled.get(i);
        }
      }
    }
    return null;
  }

  private static Command opened(Hosted addressee, Command command) {
    int start = 1 + addressee.name().length();
    Bytes payload = command.payload().slice(start, command.payload().length() - start);
    return new Command(
        payload,
        command.principal(),
        command.position(),
        command.timeMillis(),
        command.ageMillis());
  }

  /** It is remembered, so nothing of this node may be in it: only the payload and the log. */
  private static Reply nobody(Bytes payload) {
    int length = payload.length() == 0 ? 0 : payload.at(0) & 0xff;
    return Reply.businessError(
        length == 0 || length >= payload.length()
            ? "the payload does not begin with the name of a service"
            : "there is no service called " + payload.slice(1, length));
  }

  @Override
  public Frozen freeze() {
    List<Hosted> present = enabled;
    List<Frozen> frozen = new ArrayList<>();
    for (Hosted each : present) {
      frozen.add(each.service().freeze());
    }
    return out -> {
      out.write(SNAPSHOT_VERSION);
      out.write(present.size());
      for (int i = 0; i < frozen.size(); i++) {
        Bytes name = present.get(i).name();
        out.write(name.length());
        out.write(name.toArray());
        try (Section.Output section = new Section.Output(out)) {
          frozen.get(i).writeTo(section);
        }
      }
    };
  }

  /**
   * Restores every service from its section. A service that is new since the snapshot is as it was
   * before its first command.
   *
   * @throws IOException also if a section is for a service that is not here: its state would be
   *     lost
   */
  @Override
  public void restore(InputStream in) throws IOException {
    int version = u8(in);
    if (version != SNAPSHOT_VERSION) {
      throw new IOException(
          "the state of the services has version "
              + version
              + "; this build reads version "
              + SNAPSHOT_VERSION);
    }
    TreeMap<String, Service> missing = new TreeMap<>(services);
    int sections = u8(in);
    for (int i = 0; i < sections; i++) {
      restoreSection(in, missing);
    }
    for (Hosted each : hosted) {
      if (missing.containsKey(each.name().asText())) {
        each.service().restore(new ByteArrayInputStream(each.untouched()));
      }
    }
  }

  private void restoreSection(InputStream in, TreeMap<String, Service> missing) throws IOException {
    String name = new String(in.readNBytes(u8(in)), StandardCharsets.UTF_8);
    Service service = missing.remove(name);
    if (service == null) {
      throw new IOException(
          services.containsKey(name)
              ? "there are two states of the service " + name
              : "there is a state of the service \""
                  + name
                  + "\", which is not hosted here; hosted are "
                  + names);
    }
    Section.Input section = new Section.Input(in);
    service.restore(section);
    if (section.read() >= 0) {
      throw new IOException("the service " + name + " has not read all of its state");
    }
  }

  private static int u8(InputStream in) throws IOException {
    int value = in.read();
    if (value < 0) {
      throw new EOFException("the state of the services is cut off");
    }
    return value;
  }

  private static byte[] stateOf(Service service) {
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    try {
      service.freeze().writeTo(state);
    } catch (IOException e) {
      throw new UncheckedIOException("a service could not write its state into memory", e);
    }
    return state.toByteArray();
  }
}
