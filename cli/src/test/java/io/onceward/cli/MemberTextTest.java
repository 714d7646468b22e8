package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.wire.Member;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberTextTest {

  @Test
  void thePeerPortIsTheOneAfterTheClientPort() {
    assertThat(MemberText.parse("a=10.0.0.5:7400"))
        .isEqualTo(new Member("a", "10.0.0.5", 7400, 7401));
  }

  @Test
  void thePeerPortCanBeNamed() {
    assertThat(MemberText.parse("node-1.b_c=localhost:7400/9000"))
        .isEqualTo(new Member("node-1.b_c", "localhost", 7400, 9000));
  }

  @Test
  void anAddressOfVersionSixKeepsItsBrackets() {
    assertThat(MemberText.parse("a=[::1]:7400")).isEqualTo(new Member("a", "[::1]", 7400, 7401));
  }

  @Test
  void whatIsPrintedIsReadAgain() {
    Member member = new Member("a", "10.0.0.5", 7400, 9000);
    assertThat(MemberText.parse(MemberText.print(member))).isEqualTo(member);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "a=",
        "a=host",
        "a=host:",
        "a=host:x",
        "a=host:0",
        "a=host:65536",
        "a=:7400",
        "=host:7400",
        "a b=host:7400",
        "-a=host:7400",
        "a=::1:7400",
        "a=host:7400/",
        "a=host:65535",
        "a=host:7400/7400",
        "a/../b=host:7400"
      })
  void anythingElseIsRefusedWithWhatIsAllowed(String text) {
    assertThatThrownBy(() -> MemberText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .containsAnyOf(
            "ID=HOST:PORT",
            "HOST:PORT",
            "from 1 to 65535",
            "letters, digits",
            "different ports",
            "name one");
  }
}
