package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTest {
  private final Shell shell = new Shell();

  @Test
  void anUnknownCommandIsToldWhatThereIs() {
    assertRefused("there is no command 'frobnicate'; there are: server, cluster", "frobnicate");
  }

  @Test
  void aMistypedOptionIsToldWhatItMightBe() {
    assertRefused("did you mean --data", "server", "--dat", "x");
  }

  @Test
  void aGroupAloneIsToldWhatToDo() {
    assertRefused("say what to do: put, get, delete, cas, list", "kv");
  }

  @Test
  void wrongValuesAreToldWhatIsAllowed() {
    assertRefused("--member: a member is ID=HOST:PORT", "server", "--member", "x");
    assertRefused("two growing numbers", "server", "--election-millis", "5");
    assertRefused("POSITION/ORDINAL", "server", "--quarantine", "x");
    assertRefused("--deadline: a duration is", "kv", "get", "x", "--deadline", "soon");
    assertRefused("--nodes is from 1 to 9, not 10", "cluster", "--nodes", "10");
    assertRefused("--port is from 1 to", "cluster", "--port", "70000");
  }

  @Test
  void aServiceThatCannotBeMadeIsExplained() {
    assertRefused("is not an io.onceward.Service", "server", "--service", "x=java.lang.Object");
    assertRefused("add its jar to ONCEWARD_CLASSPATH", "server", "--service", "x=no.such.Class");
    assertRefused("no public constructor", "server", "--service", "x=java.lang.Integer");
  }

  @Test
  void aProgramOfAnotherModuleIsLeftToTheLauncher() {
    assertRefused("./onceward bench table --quick", "bench", "table", "--quick");
  }

  @Test
  void wordsThatTheLocaleCannotReadAreRefused() {
    assertRefused("set LC_ALL=C.UTF-8", "kv", "get", "gr\uFFFD\uFFFDn");
  }

  @Test
  void usageErrorsAreJsonWhenAskedFor() {
    for (String[] words :
        new String[][] {
          {"frobnicate", "--json"},
          {"kv", "get", "--json"},
          {"kv", "get", "x", "--deadline", "soon", "--json"},
          {"server", "--json", "--dat", "x"},
          {"bench", "--json"},
          {"kv", "get", "gr\uFFFDn", "--json"},
          {"cluster", "--nodes", "10", "--json"}
        }) {
      Shell.Result result = shell.run(words);
      assertThat(result.code()).isEqualTo(ExitCode.USAGE.number());
      assertThat(JsonText.object(result.err().strip()))
          .containsEntry("exit", 2L)
          .containsKey("error");
    }
    // A word behind -- is no option.
    assertThat(shell.run("kv", "get", "--", "x", "--json").err()).startsWith("onceward kv get: ");
  }

  private void assertRefused(String message, String... words) {
    Shell.Result result = shell.run(words);
    assertThat(result.err()).contains(message);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE.number());
    assertThat(result.out()).isEmpty();
  }
}
