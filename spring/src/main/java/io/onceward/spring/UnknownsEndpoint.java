package io.onceward.spring;

import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.guard.Finding;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * The queue of requests whose fate nobody knows, and the operator's word on them (G3): {@code GET
 * /actuator/onceward}, {@code POST /actuator/onceward/{id}} with {@code finding} and {@code reply}.
 */
@Endpoint(id = "onceward")
final class UnknownsEndpoint {
  private static final int AT_MOST = 100;

  private final Guard guard;
  private final Guarantees guarantees;
  private final SaidReplies replies;

  UnknownsEndpoint(Guard guard, Guarantees guarantees, SaidReplies replies) {
    this.guard = guard;
    this.guarantees = guarantees;
    this.replies = replies;
  }

  /** What is promised, and what is unknown: the one that was started first in front. */
  @ReadOperation
  public Map<String, Object> unknowns() {
    List<Map<String, Object>> unknown = new ArrayList<>();
    for (UnknownRequest each : guard.unknowns(AT_MOST)) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("id", new Named(each.id(), each.fence()).toString());
      one.put("operation", each.operation());
      one.put("principal", each.id().principal());
      one.put("scope", each.id().scope().name());
      one.put("key", each.id().key().toString());
      one.put("memo", each.memo());
      one.put("started", each.started().toString());
      one.put("why", each.why());
      one.put("idempotencyKey", each.id().idempotencyKey());
      unknown.add(one);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("guarantees", guarantees.byName());
    all.put("unknown", unknown);
    return all;
  }

  /**
   * The operator's word on one of them.
   *
   * @param id as the list shows it; it names the run that was looked into, and is of no use after
   *     another
   * @param finding {@code happened}, {@code cannot-tell} or {@code can-no-longer-happen}: it did
   *     not happen, nor can it, so that the next copy of the request runs it
   * @param reply what retries are to be given if it happened: the JSON of what the method returns;
   *     for a ResponseEntity, and for a path that the filter guards, {@code
   *     {"status":…,"headers":{…},"body":…}}
   */
  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> resolve(
      @Selector String id, String finding, @Nullable String reply) {
    try {
      Named request = Named.parse(id);
      return new WebEndpointResponse<>(taken(request, found(request.id(), finding, reply)));
    } catch (IllegalArgumentException e) {
      return new WebEndpointResponse<>(
          Map.of("error", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
  }

  private Finding found(GuardedId id, String finding, @Nullable String reply) {
    return switch (finding) {
      case "happened" -> {
        if (reply == null) {
          throw new IllegalArgumentException(
              "what happened has a reply; for a method that returns nothing it is empty");
        }
        yield new Finding.Happened(replies.reply(id, reply));
      }
      case "cannot-tell" -> new Finding.CannotTell();
      case "can-no-longer-happen" -> new Finding.CanNoLongerHappen();
      default ->
          throw new IllegalArgumentException(
              "a finding is happened, cannot-tell or can-no-longer-happen, got " + finding);
    };
  }

  private Map<String, Object> taken(Named request, Finding found) {
    boolean taken = guard.resolve(request.id(), request.fence(), found);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("taken", taken);
    answer.put(
        "meaning",
        taken
            ? "the next copy of the request is answered accordingly"
            : found instanceof Finding.CannotTell
                ? "it stays unknown"
                : "it was resolved or given to another run meanwhile; look at the list again");
    return answer;
  }

  /** A run of a request in one word, as the list shows it. */
  private record Named(GuardedId id, long fence) {
    private static final int PARTS = 4;

    static Named parse(String word) {
      String[] parts = word.split("\\.", -1);
      try {
        if (parts.length == PARTS) {
          for (int i = 0; i < PARTS; i++) {
            parts[i] = new String(Base64.getUrlDecoder().decode(parts[i]), StandardCharsets.UTF_8);
          }
          return new Named(
              new GuardedId(parts[0], new Scope(parts[1]), Key.parse(parts[2])),
              Long.parseLong(parts[3]));
        }
      } catch (IllegalArgumentException e) {
        // Told below.
      }
      throw new IllegalArgumentException("that is no id of the list: " + word);
    }

    @Override
    public String toString() {
      Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
      List<String> parts = new ArrayList<>();
      for (String each :
          List.of(id.principal(), id.scope().name(), id.key().toString(), Long.toString(fence))) {
        parts.add(encoder.encodeToString(each.getBytes(StandardCharsets.UTF_8)));
      }
      return String.join(".", parts);
    }
  }
}
