package io.onceward.spring;

import org.jspecify.annotations.Nullable;

/** What the interceptor knows of the web request that it is in, if there is the web at all. */
interface WebSide {
  WebSide NONE =
      new WebSide() {
        @Override
        public boolean isThere() {
          return false;
        }

        @Override
        public @Nullable String header(String name) {
          return null;
        }

        @Override
        public @Nullable String principal() {
          return null;
        }

        @Override
        public void markReplayed() {}

        @Override
        public @Nullable Object bodyOf(@Nullable Object argument) {
          return argument;
        }
      };

  /** Whether the application answers web requests. */
  boolean isThere();

  /**
   * The value of a header of this request, or null.
   *
   * @throws KeyException if there are several
   */
  @Nullable String header(String name);

  @Nullable String principal();

  /** Marks the answer as a replay. */
  void markReplayed();

  /** What counts of an argument that carries more than a body. */
  @Nullable Object bodyOf(@Nullable Object argument);
}
