package io.onceward.replica;

import io.onceward.ClusterId;
import io.onceward.DamagedException;
import io.onceward.Frozen;
import io.onceward.Service;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A replica at one entry, and its bytes: where the log stood, parameters, principals, retentions,
 * sessions, keys, and last the service's own section. Equal replicas write equal bytes (T1).
 */
final class ReplicaSnapshot implements Frozen {
  private final long position;
  private final long term;
  private final long stampMillis;
  private final long timeMillis;
  private final long ageMillis;
  private final ClusterId clusterId;
  private final List<ClusterId> formerIds;
  private final long[] parameters;
  private final List<String> principals = new ArrayList<>();
  private final TreeMap<String, Integer> aliases;
  private final List<long[]> retentions = new ArrayList<>();
  private final int standardRetention;
  private final TreeMap<String, Scopes.Setting> settings;
  private final SessionSnapshot sessions;
  private final KeySnapshot keys;
  private final TreeSet<String> services;
  private final TreeMap<LogPlace, Boolean> obeyedQuarantines;
  private final Frozen service;

  ReplicaSnapshot(Replica replica, Frozen service) {
    this.position = replica.clock.position();
    this.term = replica.clock.term();
    this.stampMillis = replica.clock.stampMillis();
    this.timeMillis = replica.clock.timeMillis();
    this.ageMillis = replica.clock.ageMillis();
    this.clusterId = replica.clusterId();
    this.formerIds = replica.formation.former();
    this.parameters = replica.parameters.copy();
    for (int number = 1; number <= replica.principals.count(); number++) {
      principals.add(replica.principals.numbered(number).name);
    }
    this.aliases = replica.principals.aliases();
    Scopes scopes = replica.keys.scopes();
    for (RetentionClass retention : scopes.retentions()) {
      retentions.add(
          new long[] {retention.retentionMillis, retention.horizonMicros, retention.droppedMillis});
    }
    this.standardRetention = scopes.standard().number;
    this.settings = new TreeMap<>(scopes.settings());
    this.sessions = replica.sessions.store().freeze();
    this.keys = replica.keys.freeze();
    this.services = replica.services.names();
    this.obeyedQuarantines = replica.quarantine.obeyed();
    this.service = service;
  }

  @Override
  public void writeTo(OutputStream stream) throws IOException {
    write(stream);
  }

  String digest() {
    try {
      return HexFormat.of().formatHex(write(OutputStream.nullOutputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException("the service could not write its state", e);
    }
  }

  private byte[] write(OutputStream stream) throws IOException {
    SnapshotOutput out = new SnapshotOutput(stream);
    out.varint(position);
    out.varint(term);
    out.i64(stampMillis);
    out.varint(timeMillis);
    out.varint(ageMillis);
    write(out, clusterId);
    out.varint(formerIds.size());
    for (ClusterId former : formerIds) {
      write(out, former);
    }
    out.varint(parameters.length);
    for (long value : parameters) {
      out.varint(value);
    }
    writePrincipals(out);
    writeRetentions(out);
    sessions.writeTo(out);
    keys.writeTo(out);
    out.varint(services.size());
    for (String name : services) {
      out.utf8("service", name, Limits.SERVICE_NAME_BYTES);
    }
    out.varint(obeyedQuarantines.size());
    for (Map.Entry<LogPlace, Boolean> obeyed : obeyedQuarantines.entrySet()) {
      obeyed.getKey().write(out);
      out.u8(obeyed.getValue() ? 1 : 0);
    }
    try (OutputStream section = out.section()) {
      service.writeTo(section);
    }
    return out.finish();
  }

  private static void write(SnapshotOutput out, ClusterId id) throws IOException {
    out.i64(id.high());
    out.i64(id.low());
  }

  private void writePrincipals(SnapshotOutput out) throws IOException {
    out.varint(principals.size());
    for (String name : principals) {
      out.utf8("principal", name, Limits.PRINCIPAL_BYTES);
    }
    out.varint(aliases.size());
    for (Map.Entry<String, Integer> alias : aliases.entrySet()) {
      out.utf8("alias", alias.getKey(), Limits.PRINCIPAL_BYTES);
      out.varint(alias.getValue());
    }
  }

  private void writeRetentions(SnapshotOutput out) throws IOException {
    out.varint(retentions.size());
    for (long[] retention : retentions) {
      for (long value : retention) {
        out.varint(value);
      }
    }
    out.varint(standardRetention);
    out.varint(settings.size());
    for (Map.Entry<String, Scopes.Setting> setting : settings.entrySet()) {
      out.utf8("scope", setting.getKey(), Limits.SCOPE_BYTES);
      out.varint(setting.getValue().retention().number);
      out.u8(setting.getValue().datedOnly() ? 1 : 0);
      Principal owner = setting.getValue().owner();
      out.varint(owner == null ? 0 : owner.number);
    }
  }

  /** Reads a snapshot into an empty replica. */
  static void read(InputStream stream, Replica replica, Service service) throws IOException {
    SnapshotInput in = new SnapshotInput(stream);
    long position = in.number("position", 0, Replica.MAX_POSITION - 1);
    long term = in.number("term", 0, Long.MAX_VALUE);
    long stampMillis = in.i64();
    long timeMillis = in.number("log time", Math.max(0, stampMillis), Long.MAX_VALUE);
    // Stamps that go back and forth make more age than log time.
    long ageMillis = in.number("age", 0, Long.MAX_VALUE >> 1);
    replica.clock.restore(position, term, stampMillis, timeMillis, ageMillis);
    readFormation(in, replica.formation);
    // A snapshot of an earlier build has fewer of them; the rest keep their initial values.
    int count = (int) in.number("number of parameters", 1, Parameter.values().length);
    for (int code = 0; code < count; code++) {
      Parameter parameter = Parameter.ofCode(code);
      long value = in.number(parameter.name(), parameter.least(), parameter.most());
      replica.parameters.set(parameter, value);
    }
    readPrincipals(in, replica.principals);
    readRetentions(in, replica.keys.scopes(), replica.principals);
    replica.sessions.store().restoreAge(ageMillis);
    SessionSnapshot.read(in, replica);
    KeySnapshot.read(in, replica);
    readServices(in, replica.services);
    readQuarantine(in, replica.quarantine);
    readService(in, service);
    in.finish();
    replica.keys.restoreAge(ageMillis);
  }

  private static void readFormation(SnapshotInput in, Formation formation) throws IOException {
    ClusterId id = new ClusterId(in.i64(), in.i64());
    int count = (int) in.number("number of former cluster ids", 0, Formation.FORMER_IDS);
    List<ClusterId> former = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      former.add(new ClusterId(in.i64(), in.i64()));
    }
    formation.restore(id, former);
  }

  private static void readPrincipals(SnapshotInput in, Principals principals) throws IOException {
    long count = in.number("number of principals", 0, Integer.MAX_VALUE);
    for (long i = 0; i < count; i++) {
      long at = in.offset();
      String name = in.utf8("principal", Limits.PRINCIPAL_BYTES);
      if (principals.isKnown(name)) {
        throw in.damaged(at, "a principal is listed twice");
      }
      principals.enter(new Principal(0, name));
    }
    long aliases = in.number("number of aliases", 0, Integer.MAX_VALUE);
    for (long i = 0; i < aliases; i++) {
      long at = in.offset();
      String name = in.utf8("alias", Limits.PRINCIPAL_BYTES);
      int number = (int) in.number("principal of an alias", 1, principals.count());
      Principal meant = principals.numbered(number);
      if (meant.name.equals(name) || principals.isAlias(name, meant.name)) {
        throw in.damaged(at, "an alias is listed twice, or is the principal's own name");
      }
      if (principals.called(meant.name) != meant) {
        throw in.damaged(at, "an alias stands for a principal that is an alias itself");
      }
      principals.alias(name, meant);
    }
  }

  private static void readRetentions(SnapshotInput in, Scopes scopes, Principals principals)
      throws IOException {
    int count = (int) in.number("number of retentions", 1, Scopes.MAX_RETENTIONS);
    List<RetentionClass> retentions = new ArrayList<>();
    Parameter bounds = Parameter.RETENTION_MILLIS;
    for (int number = 0; number < count; number++) {
      RetentionClass retention =
          new RetentionClass(number, in.number("retention", bounds.least(), bounds.most()));
      retention.horizonMicros = in.number("horizon", 0, Long.MAX_VALUE);
      retention.droppedMillis = in.number("end of what was dropped", 0, Long.MAX_VALUE);
      retentions.add(retention);
    }
    scopes.restore(retentions, (int) in.number("standard retention", 0, count - 1L));
    long settings = in.number("number of scope settings", 0, Integer.MAX_VALUE);
    for (long i = 0; i < settings; i++) {
      String name = in.utf8("scope", Limits.SCOPE_BYTES);
      int number = (int) in.number("retention of a scope", 0, count - 1L);
      boolean datedOnly = in.number("dated only", 0, 1) == 1;
      int owner = (int) in.number("owner of a scope setting", 1, principals.count());
      scopes.restoreSetting(principals.numbered(owner), name, retentions.get(number), datedOnly);
    }
  }

  private static void readServices(SnapshotInput in, EnabledServices services) throws IOException {
    int count = (int) in.number("number of services", 0, EnabledServices.MOST);
    TreeSet<String> names = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      long at = in.offset();
      String name = in.utf8("service", Limits.SERVICE_NAME_BYTES);
      if (!names.isEmpty() && name.compareTo(names.last()) <= 0) {
        throw in.damaged(at, "the services are not in order");
      }
      names.add(name);
    }
    services.restore(names);
  }

  private static void readQuarantine(SnapshotInput in, Quarantine quarantine) throws IOException {
    int count = (int) in.number("number of quarantined requests", 0, Limits.QUARANTINED);
    TreeMap<LogPlace, Boolean> obeyed = new TreeMap<>();
    LogPlace place = null;
    for (int i = 0; i < count; i++) {
      place = LogPlace.read(in, place);
      obeyed.put(place, in.number("confirmed", 0, 1) == 1);
    }
    quarantine.restore(obeyed);
  }

  private static void readService(SnapshotInput in, Service service) throws IOException {
    long at = in.offset();
    try (InputStream section = in.section()) {
      service.restore(section);
    } catch (DamagedException e) {
      throw e;
    } catch (RuntimeException e) {
      throw in.damaged(at, "the service cannot read its state: " + e);
    }
  }
}
