package io.onceward.spring;

import java.lang.reflect.Method;

/** Knows which web request a handler method answers, for people: {@code POST /payments}. */
@FunctionalInterface
interface Endpoints {
  /** Empty if it answers none. */
  String of(Class<?> type, Method method);
}
