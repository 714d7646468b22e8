package io.onceward.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.guard.Finding;
import io.onceward.guard.Guard;
import io.onceward.guard.MemoryStore;
import io.onceward.guard.UnknownRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a probe or an operator says of unknown calls is what retries get, or is refused. */
class ResolvedCallTest {
  private static final TextService.Handler FAILS =
      (request, reply, run) -> reply.onError(Status.INTERNAL.asRuntimeException());

  private static final List<Reply> NOTES =
      List.of(
          Reply.ok("in the books"),
          Reply.businessError(Bytes.utf8("declined")),
          StoredReply.ok(Bytes.of(new byte[] {-1})).toReply());

  private static void assertUnknown(TextService service) {
    assertThatThrownBy(() -> service.call("k1", "hello"))
        .satisfies(
            e ->
                assertThat(Status.fromThrowable(e).getCode())
                    .isEqualTo(Status.Code.FAILED_PRECONDITION));
  }

  private static void assertNotKept(TextService service) {
    assertThatThrownBy(() -> service.call("k1", "hello"))
        .satisfies(
            e -> {
              assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.ALREADY_EXISTS);
              assertThat(Status.trailersFromThrowable(e).get(Answers.PROBLEM))
                  .isEqualTo("reply-not-kept");
            });
  }

  @Test
  void operatorsNoteIsRefused() throws Exception {
    try (TextService service = TextService.behind(OnceInterceptor.inMemory(), FAILS)) {
      assertThatThrownBy(() -> service.call("k1", "hello")).isNotNull();
      Guard guard = service.interceptor.guard();
      UnknownRequest unknown = guard.unknowns(1).get(0);
      for (Reply note : NOTES) {
        Finding finding = new Finding.Happened(note);
        assertThatThrownBy(() -> guard.resolve(unknown.id(), unknown.fence(), finding))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertUnknown(service);

      Finding withoutReply = new Finding.Happened(Reply.ok(""));
      assertThat(guard.resolve(unknown.id(), unknown.fence(), withoutReply)).isTrue();
      assertNotKept(service);
    }
  }

  @Test
  void probesNoteIsNotTaken() throws Exception {
    for (Reply note : NOTES) {
      try (TextService service =
          TextService.behind(
              OnceInterceptor.inMemory()
                  .guard(guard -> guard.probe(request -> new Finding.Happened(note))),
              FAILS)) {
        assertThatThrownBy(() -> service.call("k1", "hello")).isNotNull();
        assertUnknown(service);
      }
    }
  }

  /** As a command line writes it into the store, which knows no methods. */
  @Test
  void messageThatNobodyCanReadIsToldAndLeavesNoCallOpen() throws Exception {
    try (MemoryStore store = MemoryStore.builder().build();
        TextService service = TextService.behind(OnceInterceptor.on(store), FAILS)) {
      assertThatThrownBy(() -> service.call("k1", "hello")).isNotNull();
      UnknownRequest unknown = store.unknowns(1).get(0);
      store.done(unknown.id(), unknown.fence(), NOTES.get(2));
      assertNotKept(service);
    }
  }
}
