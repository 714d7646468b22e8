package io.onceward.crash.child;

import io.onceward.crash.Step.Moment;
import io.onceward.crash.Step.Phase;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The database as one lane sees it: one connection, opened in time, so that the first bytes that a
 * step sends are those of the step; and statements that stop where they should.
 */
final class LaneDataSource {
  private LaneDataSource() {}

  /** A pool of one, in front of the database. */
  static PGSimpleDataSource plain(int port, String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName(database);
    source.setUser("postgres");
    source.setSocketFactory(LaneSocketFactory.class.getName());
    return source;
  }

  /**
   * A data source of one connection.
   *
   * @param phaseOf tells from its SQL what a statement is for; null for nothing that matters
   */
  static javax.sql.DataSource of(
      PGSimpleDataSource source, Stops stops, Function<String, @Nullable Phase> phaseOf)
      throws SQLException {
    Connection connection = source.getConnection();
    Connection kept =
        proxy(
            Connection.class,
            (self, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              Object answer = invoke(connection, method, arguments);
              if (answer instanceof PreparedStatement statement
                  && arguments != null
                  && arguments[0] instanceof String sql) {
                Phase phase = phaseOf.apply(sql.toUpperCase(Locale.ROOT));
                return phase == null ? statement : stopping(statement, phase, stops);
              }
              return answer;
            });
    return proxy(
        javax.sql.DataSource.class,
        (self, method, arguments) ->
            method.getName().equals("getConnection") ? kept : invoke(source, method, arguments));
  }

  private static PreparedStatement stopping(PreparedStatement statement, Phase phase, Stops stops) {
    return proxy(
        PreparedStatement.class,
        (self, method, arguments) -> {
          if (!method.getName().startsWith("execute")) {
            return invoke(statement, method, arguments);
          }
          stops.reach(phase, Moment.BEFORE);
          stops.enter(phase);
          Object answer = invoke(statement, method, arguments);
          stops.enter(null);
          stops.reach(phase, Moment.AFTER);
          return answer;
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            LaneDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
