package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.http.StoredResponse;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * In which form a guard keeps the replies of a request. The store has bytes and does not know, so
 * the operator says it, and what is said is read here as far as it can be without the application:
 * once a reply is remembered, nobody can correct it.
 */
enum ReplyForm {
  HTTP {
    @Override
    Reply reply(Said said) {
      Bytes body = said.bytes();
      if (said.businessError()) {
        throw new IllegalArgumentException("of a response, --status tells whether it is an error");
      }
      Integer status = said.status();
      if (status == null) {
        Reply reply = StoredResponse.in(Reply.ok(body)) == null ? Reply.ok(body) : stored(body);
        if (body.length() > 0 && StoredResponse.in(reply) == null) {
          throw new IllegalArgumentException(
              "a response has a status: give --status, as 201; or --reply '' if it is not known");
        }
        return reply;
      }
      if (status < 200 || status > 599) {
        throw new IllegalArgumentException("--status is from 200 to 599, not " + status);
      }
      String type = said.mediaType();
      if (type == null && body.length() > 0) {
        throw new IllegalArgumentException(
            "a response with a body has a media type: give --media-type, as application/json");
      }
      return StoredResponse.of(
              status,
              type == null ? List.of() : List.of(new StoredResponse.Header("Content-Type", type)),
              body)
          .toReply();
    }

    /** Its status decides what kind of reply it is. */
    private Reply stored(Bytes encoded) {
      StoredResponse response = StoredResponse.in(Reply.ok(encoded));
      return response == null ? Reply.ok(encoded) : response.toReply();
    }
  },

  GRPC {
    @Override
    Reply reply(Said said) {
      said.requireNoResponse();
      if (said.bytes().length() > 0 || said.businessError()) {
        throw new IllegalArgumentException(
            "only the application can write the message of a gRPC method: give --reply '', and"
                + " retries are told that it happened and its answer was not kept; or resolve it"
                + " in the application, with StoredReply");
      }
      return Reply.ok(Bytes.EMPTY);
    }
  },

  JSON {
    @Override
    Reply reply(Said said) {
      said.requireNoResponse();
      if (said.businessError()) {
        throw new IllegalArgumentException(
            "only the application can write its exceptions: resolve it there");
      }
      if (said.bytes().length() > 0) {
        JsonSyntax.check(said.bytes());
      }
      return Reply.ok(said.bytes());
    }
  },

  RAW {
    @Override
    Reply reply(Said said) {
      said.requireNoResponse();
      return said.businessError() ? Reply.businessError(said.bytes()) : Reply.ok(said.bytes());
    }
  };

  /** What stands on the command line. */
  record Said(
      Bytes bytes, boolean businessError, @Nullable Integer status, @Nullable String mediaType) {
    private void requireNoResponse() {
      if (status != null || mediaType != null) {
        throw new IllegalArgumentException("--status and --media-type are for --format http");
      }
    }
  }

  /**
   * The reply that retries get.
   *
   * @throws IllegalArgumentException if they could not be given what was said
   */
  abstract Reply reply(Said said);

  static ReplyForm of(String name) {
    StringJoiner names = new StringJoiner(", ");
    for (ReplyForm each : values()) {
      String its = each.name().toLowerCase(Locale.ROOT);
      if (its.equals(name)) {
        return each;
      }
      names.add(its);
    }
    throw new IllegalArgumentException("--format is one of " + names + ", not " + name);
  }
}
