package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.http.StoredResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator says becomes a reply that retries can read, or is refused. */
class ReplyFormTest {
  private static ReplyForm.Said said(Bytes bytes) {
    return new ReplyForm.Said(bytes, false, null, null);
  }

  @Test
  void aResponseIsAnErrorByItsStatus() {
    Reply declined =
        ReplyForm.HTTP.reply(new ReplyForm.Said(Bytes.utf8("no funds"), false, 402, "text/plain"));
    assertThat(declined).isEqualTo(StoredResponse.of(402, "text/plain", "no funds").toReply());
    assertThat(declined.kind()).isEqualTo(Reply.Kind.BUSINESS_ERROR);
    Reply empty = ReplyForm.HTTP.reply(new ReplyForm.Said(Bytes.EMPTY, false, 204, null));
    assertThat(StoredResponse.in(empty)).isNotNull();
  }

  @Test
  void aResponseThatWasWrittenBeforeIsTakenAsItIs() {
    Reply written = StoredResponse.of(409, "text/plain", "taken").toReply();
    assertThat(ReplyForm.HTTP.reply(said(written.bytes()))).isEqualTo(written);
  }

  @Test
  void anAnswerThatIsNotKnownIsEmpty() {
    for (ReplyForm form : ReplyForm.values()) {
      assertThat(form.reply(said(Bytes.EMPTY))).isEqualTo(Reply.ok(Bytes.EMPTY));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        " true ",
        "-0.5e+3",
        "\"a \\u00e9 \\n\"",
        "[]",
        "[1, [2, {}]]",
        "{\"a\": {\"b\": [null]}}"
      })
  void jsonIsTakenAsItIs(String json) {
    assertThat(ReplyForm.JSON.reply(said(Bytes.utf8(json)))).isEqualTo(Reply.ok(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "paid", "nul", "01", "1.", "'a'", "\"a", "\"\\x\"", "[1,]", "[1", "{a:1}", "{1:1}",
        "{\"a\"}", "1 2", " "
      })
  void whatIsNoJsonIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplyForm.JSON.reply(said(Bytes.utf8(text))));
  }

  @Test
  void aLongTextIsJsonToo() {
    String json = "[\"" + "a\\n".repeat(300_000) + "\"," + "7,".repeat(300_000) + "0]";
    assertThat(ReplyForm.JSON.reply(said(Bytes.utf8(json)))).isEqualTo(Reply.ok(json));
  }

  @Test
  void deepAndBrokenJsonIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplyForm.JSON.reply(said(Bytes.utf8("[".repeat(100_000)))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReplyForm.JSON.reply(said(Bytes.of(new byte[] {'"', -1, '"'}))));
  }
}
