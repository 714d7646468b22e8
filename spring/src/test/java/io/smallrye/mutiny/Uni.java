package io.smallrye.mutiny;

import java.util.function.Consumer;

/** In the place of Mutiny's own: a reactive type that is no publisher. */
@FunctionalInterface
public interface Uni<T> {
  void subscribe(Consumer<? super T> subscriber);
}
