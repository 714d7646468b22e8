package io.onceward.crash.child;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A table of requests that were processed: what is usually written instead of Onceward. */
final class Processed {
  private final Connection connection;

  Processed(Connection connection) {
    this.connection = connection;
  }

  @Nullable Reply find(String request) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT kind, reply FROM processed WHERE request = ?")) {
      statement.setString(1, request);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? new Reply(Reply.Kind.valueOf(row.getString(1)), Bytes.utf8(row.getString(2)))
            : null;
      }
    }
  }

  void add(String request, Reply reply) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO processed (request, kind, reply) VALUES (?, ?, ?) ON CONFLICT (request)"
                + " DO UPDATE SET kind = excluded.kind, reply = excluded.reply")) {
      statement.setString(1, request);
      statement.setString(2, reply.kind().name());
      statement.setString(3, reply.bytes().asText());
      statement.executeUpdate();
    }
  }
}
