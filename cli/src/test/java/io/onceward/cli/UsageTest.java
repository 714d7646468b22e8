package io.onceward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  void theCommandsOfTheLauncherAreAmongThoseThatThereAre() {
    assertRefused(", completion, help, version\n", "frobnicate");
    assertRefused(", example, ", "frobnicate");
  }

  @Test
  void helpAboutNoCommandIsRefused() {
    assertRefused("there is no command 'frobnicate'", "help", "frobnicate");
    assertRefused("there is no command 'frobnicate'", "frobnicate", "--help");
    assertRefused("onceward kv: there is no command 'frobnicate'", "kv", "frobnicate", "-h");
    assertRefused("onceward kv: there is no command 'frobnicate'", "help", "kv", "frobnicate");
  }

  @Test
  void optionsThatAreMissingAreNamedAsTheyAreGiven() {
    // A hint that names --dated-only alone leads users to lock out every key without a date.
    for (String[] words :
        new String[][] {
          {"scope", "x", "--retention", "2h"},
          {"scope", "x", "--remove", "--retention", "2h"},
          {"claims", "scope", "x"}
        }) {
      assertRefused("missing required option: '--[no-]dated-only'", words);
    }
    assertRefused("missing required option: '--retention=TIME'", "scope", "x", "--dated-only");
    assertRefused("give one of these: --older-than=TIME | --before=DATE", "forget");
    assertRefused(
        "give one of these: --happened | --can", "unknown", "resolve", "k", "--fence", "1");
  }

  @Test
  void optionsThatExcludeEachOtherAreNamed() {
    assertRefused(
        "onceward forget: --older-than=TIME, --before=DATE are mutually exclusive",
        "forget",
        "--older-than",
        "30d",
        "--before",
        "2026-10-01");
    assertRefused(
        "onceward scope: given twice, or beside its opposite: --dated-only\n",
        "scope",
        "x",
        "--dated-only",
        "--no-dated-only");
    assertRefused(
        "--format, --status, --media-type and --business-error belong to --happened",
        "unknown",
        "resolve",
        "k",
        "--fence",
        "1",
        "--can-no-longer-happen",
        "--format",
        "json");
  }

  @Test
  void aPairWithoutItsSignIsToldItsForm() {
    assertRefused(
        "onceward server: --service: has the form NAME=CLASS, not \"x\"\n",
        "server",
        "--service",
        "x");
  }

  @Test
  void aFileThatCannotBeReadIsExplained(@TempDir Path folder) throws IOException {
    String name = folder.toString();
    assertRefused("cannot read " + name + ": it is a folder\n", "kv", "put", "k", "--file", name);
    assertRefused("cannot read " + name + ": it is a folder\n", "server", "--config", name);
    assertRefused("there is no file x\\ny\n", "kv", "put", "k", "--file", "x\ny");
    Path file = folder.resolve("node.properties");
    Files.write(file, new byte[] {'n', 'o', 'd', 'e', '=', (byte) 0xff});
    assertRefused("cannot read " + file + ": it is not UTF-8\n", "server", "--config", "" + file);
    Files.writeString(file, "data = C:\\users");
    assertRefused(file + ": Malformed \\uxxxx encoding", "server", "--config", "" + file);
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
