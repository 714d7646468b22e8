package io.onceward.spring;

import io.onceward.Scope;
import io.onceward.guard.Fitting;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which requests need keys with a date (K5), as {@code onceward.dated-only} says.
 *
 * @param names operations of methods, patterns of routes, whole scopes, or {@link #ALL}
 */
record DatedOnly(List<String> names) implements Predicate<Scope> {
  private static final String ALL = "*";

  static DatedOnly of(OncewardProperties properties) {
    DatedOnly datedOnly = new DatedOnly(properties.datedOnly());
    for (OncewardProperties.Route route : properties.http().routes()) {
      if (route.keyBodyHash() && datedOnly.test(scopeOf(route.pattern()))) {
        throw new IllegalStateException(
            "onceward.dated-only refuses all requests of the route "
                + route.pattern()
                + ": a hash of the body (key-body-hash) has no date");
      }
    }
    return datedOnly;
  }

  /** Those that name no operation of these methods and no route; a slip, most of the time. */
  List<String> unknown(OnceMethods methods, OncewardProperties properties) {
    return names.stream()
        .filter(
            name ->
                !name.equals(ALL)
                    && methods.ofOperation(name.split(Asking.WITHIN, 2)[0]) == null
                    && properties.http().routes().stream()
                        .noneMatch(route -> route.pattern().equals(name)))
        .toList();
  }

  private static Scope scopeOf(String name) {
    return new Scope(Fitting.fit(name, Asking.MAX_SCOPE_BYTES));
  }

  @Override
  public boolean test(Scope scope) {
    for (String name : names) {
      if (name.equals(ALL) || scopeOf(name).equals(scope) || hasOperation(scope, name)) {
        return true;
      }
    }
    return false;
  }

  /** Of a shortened scope so little may be left that it could be of several: then of each. */
  private static boolean hasOperation(Scope scope, String name) {
    String shown = Fitting.shown(scope.name());
    boolean shortened = !shown.equals(scope.name());
    return shown.startsWith(name + Asking.WITHIN)
        || (shortened && (name + Asking.WITHIN).startsWith(shown));
  }
}
