package kotlin.coroutines;

/** In the place of Kotlin's own, so that a suspend function can be told without its compiler. */
public interface Continuation<T> {
  void resumeWith(Object result);
}
