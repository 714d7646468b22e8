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
        public @Nullable Keeping entered(OnceMethod method) {
          return null;
        }

        @Override
        public void left() {}

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

  /**
   * How the answer is kept of a call that answers the web request of this thread, on its way in;
   * null for other calls. After it {@link #left} is called.
   */
  @Nullable Keeping entered(OnceMethod method);

  void left();

  /** What counts of an argument that carries more than a body. */
  @Nullable Object bodyOf(@Nullable Object argument);
}
