package io.onceward.spring;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.Fitting;
import io.onceward.guard.GuardedId;
import io.onceward.http.KeyHeader;
import io.onceward.http.MalformedKeyException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Makes the ask out of a call: whose request it is, under which key, and what it asks. */
final class Asking {
  /** Stands between operation and scope, and in no operation, so that no two add up to one. */
  static final String WITHIN = " / ";

  static final int MAX_SCOPE_BYTES = 128;
  private static final String ENTITY = "jakarta.persistence.Entity";

  private final WebSide web;
  private final CurrentPrincipal principal;
  private final @Nullable ValueCodec codec;

  Asking(WebSide web, CurrentPrincipal principal, @Nullable ValueCodec codec) {
    this.web = web;
    this.principal = principal;
    this.codec = codec;
  }

  /**
   * Null if the call has no key and needs none.
   *
   * @throws KeyException if it has none and needs one, or something that is none
   */
  @Nullable Ask ask(OnceMethod method, Object target, @Nullable Object[] arguments) {
    Key key = key(method, target, arguments);
    if (key == null) {
      if (!method.once().required()) {
        return null;
      }
      throw new KeyException(
          true,
          method.key() == null
              ? "this operation needs the header "
                  + method.once().header()
                  + " with a key of its own"
              : "the key of " + method.operation() + ", " + method.once().key() + ", is null",
          null);
    }
    return new Ask(
        idOf(method, target, arguments, key),
        fingerprint(method, target, arguments),
        operationOf(method),
        memo(method, target, arguments, key));
  }

  /**
   * An ask that only looks for what is remembered, out of the arguments that are known. Without a
   * fingerprint if it takes others. Null if they do not tell whose request it is.
   */
  @Nullable Ask lookup(OnceMethod method, Object target, ArgumentRecorder.Resolved known) {
    @Nullable Object[] arguments = known.arguments();
    if (known.isWhole()) {
      try {
        return ask(method, target, arguments);
      } catch (KeyException e) {
        return null;
      } catch (RuntimeException e) {
        // Of a fingerprint that takes valid arguments, for example.
      }
    }
    try {
      for (Expression each : new Expression[] {method.key(), method.scope()}) {
        if (each != null && !each.isToldBy(method.method(), known::isKnown)) {
          return null;
        }
      }
      Key key = key(method, target, arguments);
      return key == null
          ? null
          : new Ask(idOf(method, target, arguments, key), null, operationOf(method), "");
    } catch (RuntimeException e) {
      return null;
    }
  }

  /**
   * Whether the arguments still ask what they asked. An entity may do so and have been detached
   * with its transaction: what another run made of it would not be written.
   */
  boolean asksTheSame(Ask ask, OnceMethod method, Object target, @Nullable Object[] arguments) {
    for (Object argument : arguments) {
      if (argument != null
          && MergedAnnotations.from(argument.getClass(), SearchStrategy.TYPE_HIERARCHY)
              .isPresent(ENTITY)) {
        return false;
      }
    }
    try {
      return Objects.equals(ask.fingerprint(), fingerprint(method, target, arguments));
    } catch (RuntimeException e) {
      // They cannot even be written any more.
      return false;
    }
  }

  private static String operationOf(OnceMethod method) {
    return Fitting.fit(method.operation(), Ask.MAX_OPERATION_BYTES);
  }

  private GuardedId idOf(OnceMethod method, Object target, @Nullable Object[] arguments, Key key) {
    Expression scope = method.scope();
    Object within = scope == null ? null : scope.value(target, method.method(), arguments);
    String who = principal.name();
    return new GuardedId(
        Fitting.fit(who == null ? "" : who, GuardedId.MAX_PRINCIPAL_BYTES),
        new Scope(
            Fitting.fit(
                within == null ? method.operation() : method.operation() + WITHIN + within,
                MAX_SCOPE_BYTES)),
        key);
  }

  /** The operation that a request belongs to, as far as its identity tells. */
  static String operationOf(GuardedId id) {
    String scope = Fitting.shown(id.scope().name());
    int end = scope.indexOf(WITHIN);
    return end < 0 ? scope : scope.substring(0, end);
  }

  private @Nullable Key key(OnceMethod method, Object target, @Nullable Object[] arguments) {
    try {
      Expression expression = method.key();
      if (expression != null) {
        return given(expression.value(target, method.method(), arguments));
      }
      String header = web.header(method.once().header());
      return header == null ? null : KeyHeader.parse(header);
    } catch (MalformedKeyException e) {
      throw new KeyException(false, e.getMessage(), e);
    }
  }

  /** The key that an expression gave, or null if it gave none. */
  private static @Nullable Key given(@Nullable Object value) {
    if (value == null || value instanceof Key) {
      return (Key) value;
    }
    if (value instanceof UUID uuid) {
      return Key.uuid(uuid);
    }
    if (!(value instanceof CharSequence || value instanceof Number)) {
      throw new KeyException(
          false,
          "a key is a text, a UUID, a number or a Key, got a " + value.getClass().getName(),
          null);
    }
    try {
      return GuardedId.keyOf(value.toString());
    } catch (IllegalArgumentException e) {
      throw new KeyException(false, String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable Fingerprint fingerprint(
      OnceMethod method, Object target, @Nullable Object[] arguments) {
    List<ValueCodec.Typed> asked = new ArrayList<>();
    for (ComparedArgument each : method.compared()) {
      asked.add(new ValueCodec.Typed(web.bodyOf(arguments[each.index()]), each.type()));
    }
    Expression expression = method.fingerprint();
    if (expression != null) {
      if (asked.isEmpty()) {
        asked.add(
            new ValueCodec.Typed(
                expression.value(target, method.method(), arguments), Object.class));
      }
      if (asked.get(0).value() == null) {
        return null;
      }
    }
    return Fingerprint.of(
        method.operation(), asked.isEmpty() ? new byte[0] : bytes(asked, method.once()));
  }

  private byte[] bytes(List<ValueCodec.Typed> asked, Once once) {
    ValueCodec json = Objects.requireNonNull(codec);
    byte[] values = once.comparesNulls() ? json.canonicalWithNulls(asked) : json.canonical(asked);
    StringBuilder kinds = new StringBuilder();
    for (int i = 0; i < asked.size(); i++) {
      String kind = Kinds.of(asked.get(i).value(), asked.get(i).type());
      if (!kind.isEmpty()) {
        kinds.append('\n').append(i).append(' ').append(kind);
      }
    }
    byte[] more = kinds.toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(values, values.length + more.length);
    System.arraycopy(more, 0, all, values.length, more.length);
    return all;
  }

  private static String memo(
      OnceMethod method, Object target, @Nullable Object[] arguments, Key key) {
    Expression expression = method.memo();
    Object value = expression == null ? key : expression.value(target, method.method(), arguments);
    String text = String.valueOf(value);
    while (text.getBytes(StandardCharsets.UTF_8).length > Ask.MAX_MEMO_BYTES) {
      text =
          text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2));
    }
    return text;
  }
}
