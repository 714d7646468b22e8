package io.onceward.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The connection as business code sees it: all of it, except that its transaction is not for the
 * business code to end. A {@code commit()} out of habit would make the effect durable without its
 * reply.
 */
final class LentConnection implements InvocationHandler {
  private final Connection connection;

  private LentConnection(Connection connection) {
    this.connection = connection;
  }

  static Connection of(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            LentConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new LentConnection(connection));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    switch (method.getName()) {
      case "close" -> {
        // Who opens it in a try block means well; it is closed when the transaction is over.
        return null;
      }
      case "commit", "abort", "setAutoCommit" -> throw refusal(method);
      case "rollback" -> {
        if (arguments == null) {
          throw refusal(method);
        }
      }
      case "equals" -> {
        return arguments != null && arguments[0] == proxy;
      }
      case "hashCode" -> {
        return System.identityHashCode(proxy);
      }
      default -> {}
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static IllegalStateException refusal(Method method) {
    return new IllegalStateException(
        method.getName()
            + "() was called on the connection of a OnceTransaction. The work does not end the"
            + " transaction: return a reply to commit it, throw to roll it back, use savepoints to"
            + " undo parts of it.");
  }
}
