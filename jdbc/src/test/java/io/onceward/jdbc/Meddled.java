package io.onceward.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source between whose callers and whose database somebody meddles. */
final class Meddled {
  /** One connection and what its claim was about. */
  static final class Session {
    final Connection raw;

    /** The parameters of its last claim. */
    Map<Integer, Object> claimed = Map.of();

    Session(Connection raw) {
      this.raw = raw;
    }
  }

  /** What is about to be done. */
  interface Call {
    @Nullable Object proceed() throws Throwable;
  }

  /** Does as it likes with what passes. */
  interface Meddler {
    /** The statement to be sent instead of this one. */
    String rewrite(Session session, String sql);

    /**
     * Executes it, or something else.
     *
     * @param sql as the caller said it
     * @param parameters which it has, but for those that are null
     */
    @Nullable Object execute(
        Session session, String sql, Map<Integer, Object> parameters, Call call) throws Throwable;

    /** Commits, or not. */
    @Nullable Object commit(Session session, Call call) throws Throwable;
  }

  private Meddled() {}

  static DataSource of(DataSource source, Meddler meddler) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Object answer = invoke(source, method, arguments);
          return method.getName().equals("getConnection")
              ? connection(new Session((Connection) answer), meddler)
              : answer;
        });
  }

  private static Connection connection(Session session, Meddler meddler) {
    return proxy(
        Connection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "prepareStatement" -> {
                String sql = (String) arguments[0];
                arguments[0] = meddler.rewrite(session, sql);
                Object statement = invoke(session.raw, method, arguments);
                yield statement(PreparedStatement.class, session, meddler, statement, sql);
              }
              case "createStatement" ->
                  statement(
                      Statement.class,
                      session,
                      meddler,
                      invoke(session.raw, method, arguments),
                      "");
              case "commit" ->
                  meddler.commit(session, () -> invoke(session.raw, method, arguments));
              case "equals" -> self == arguments[0];
              case "hashCode" -> System.identityHashCode(self);
              default -> invoke(session.raw, method, arguments);
            });
  }

  private static <T> T statement(
      Class<T> type, Session session, Meddler meddler, Object statement, String prepared) {
    Map<Integer, Object> parameters = new HashMap<>();
    return proxy(
        type,
        (self, method, arguments) -> {
          String name = method.getName();
          boolean hasArguments = arguments != null && arguments.length > 0;
          if (name.startsWith("set") && hasArguments && arguments.length >= 2) {
            set(parameters, (Integer) arguments[0], name.equals("setNull") ? null : arguments[1]);
          }
          if (!name.startsWith("execute")) {
            return invoke(statement, method, arguments);
          }
          String sql = hasArguments ? (String) arguments[0] : prepared;
          if (hasArguments) {
            arguments[0] = meddler.rewrite(session, sql);
          }
          return meddler.execute(
              session, sql, parameters, () -> invoke(statement, method, arguments));
        });
  }

  private static void set(Map<Integer, Object> parameters, Integer at, @Nullable Object value) {
    if (value == null) {
      parameters.remove(at);
    } else {
      parameters.put(at, value);
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Meddled.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /** As a driver says that it lost its server. */
  static SQLException lost() {
    return new SQLException("the connection is lost", "08006");
  }
}
