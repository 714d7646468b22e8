package io.onceward.spring;

/**
 * Which method runs in which home.
 *
 * @param inTransaction where there is no database, the guard too
 */
record Homes(Home outside, Home inTransaction) {
  Home of(OnceMethod method) {
    return switch (method.once().effect()) {
      case IN_TRANSACTION -> inTransaction;
      case OUTSIDE -> outside;
    };
  }
}
