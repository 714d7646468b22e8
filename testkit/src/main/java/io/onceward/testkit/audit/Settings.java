package io.onceward.testkit.audit;

import io.onceward.replica.Parameter;
import java.util.LinkedHashMap;
import java.util.Map;

/** What administrators have set through the log so far (T1). */
public final class Settings {
  private record ScopeSetting(long retentionMillis, boolean datedOnly) {}

  private final long[] values = new long[Parameter.values().length];
  private final Map<String, ScopeSetting> scopes = new LinkedHashMap<>();

  Settings() {
    for (Parameter parameter : Parameter.values()) {
      values[parameter.code()] = parameter.initial();
    }
  }

  public long of(Parameter parameter) {
    return values[parameter.code()];
  }

  /** How long a key that arrives now in this scope is remembered. */
  public long retentionMillis(String scope) {
    ScopeSetting setting = scopes.get(scope);
    return setting == null ? of(Parameter.RETENTION_MILLIS) : setting.retentionMillis();
  }

  public boolean datedOnly(String scope) {
    ScopeSetting setting = scopes.get(scope);
    return setting != null && setting.datedOnly();
  }

  void set(Parameter parameter, long value) {
    values[parameter.code()] = value;
  }

  void removeScope(String scope) {
    scopes.remove(scope);
  }

  void setScope(String scope, long retentionMillis, boolean datedOnly) {
    scopes.put(scope, new ScopeSetting(retentionMillis, datedOnly));
  }
}
