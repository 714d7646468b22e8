package io.onceward.testkit.model;

import io.onceward.Bytes;
import io.onceward.replica.Parameter;
import io.onceward.testkit.audit.Keeping;
import java.util.EnumMap;
import java.util.Map;

/** The parameters and the bytes that everything accounts for (T1, K6). */
final class Accounts {
  static final int SESSION = 96;
  static final int DURABLE = 24;
  static final int SEQUENCE = 48;
  static final int KEY = 56;
  static final int TOMBSTONE = 24;
  static final int SCOPE = 64;
  static final int SETTING = 128;
  static final int ALIAS = 768;
  private static final int RESERVE_PART = 16;

  private final Map<Parameter, Long> values = new EnumMap<>(Parameter.class);
  private long total;
  private long kept;
  private long aliases;

  Accounts() {
    for (Parameter parameter : Parameter.values()) {
      values.put(parameter, parameter.initial());
    }
  }

  long of(Parameter parameter) {
    return values.getOrDefault(parameter, parameter.initial());
  }

  void set(Parameter parameter, long value) {
    values.put(parameter, value);
  }

  long total() {
    return total;
  }

  void take(Owner owner, long bytes) {
    total += bytes;
    owner.bytes += bytes;
  }

  /** The limit that one other name more would pass; it stays, and belongs to nobody. */
  String limitForAlias() {
    if (aliases + 1 > of(Parameter.MAX_ALIASES)) {
      return "aliases";
    }
    return total + ALIAS > of(Parameter.MAX_TABLE_BYTES) ? "table bytes" : "";
  }

  void takeAlias() {
    aliases++;
    total += ALIAS;
  }

  /** The limit that something new would pass, its largest reply included; empty if none. */
  String limitFor(Owner owner, long cost) {
    return limit(
        owner,
        cost + of(Parameter.MAX_REPLY_BYTES),
        of(Parameter.MAX_TABLE_BYTES),
        of(Parameter.MAX_PRINCIPAL_BYTES));
  }

  /** The same for a command, which the service must have room for as well (B5). */
  String limitFor(Owner owner, long cost, Bytes command) {
    String limit = limitFor(owner, cost);
    return limit.isEmpty() ? limitFor(command) : limit;
  }

  String limitFor(Bytes command) {
    long keeps = Keeping.of(command);
    return keeps > 0 && kept + keeps > of(Parameter.MAX_SERVICE_BYTES) ? "kept bytes" : "";
  }

  /** The service did what it was asked. */
  void executed(Bytes command) {
    long keeps = Keeping.of(command);
    kept = keeps == Keeping.DROPS_ALL ? 0 : kept + keeps;
  }

  /** The same for closing an unseen id, which may use the reserve. */
  String limitForClosing(Owner owner, long cost) {
    long table = of(Parameter.MAX_TABLE_BYTES);
    long own = of(Parameter.MAX_PRINCIPAL_BYTES);
    return limit(owner, cost, table + table / RESERVE_PART, own + own / RESERVE_PART);
  }

  private String limit(Owner owner, long bytes, long table, long own) {
    if (total + bytes > table) {
      return "table bytes";
    }
    return owner.bytes + bytes > own ? "principal bytes" : "";
  }
}
