package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each complaint in docs/complaints.md names tests, and they are there. */
class ComplaintsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)/(\\w+)#(\\w+)`");

  @TestFactory
  Stream<DynamicTest> eachComplaintHasItsTests() throws IOException {
    List<String> rows =
        Files.readAllLines(ROOT.resolve("docs/complaints.md")).stream()
            .filter(line -> line.startsWith("| ") && !line.endsWith("| tests |"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(25);
    return rows.stream().map(row -> DynamicTest.dynamicTest(row, () -> check(row)));
  }

  private static void check(String row) throws IOException {
    List<MatchResult> named = NAMED.matcher(row).results().toList();
    assertThat(named).isNotEmpty();
    for (MatchResult each : named) {
      assertThat(source(each.group(1), each.group(2)))
          .as(each.group())
          .containsPattern("@(Test|TestFactory|ParameterizedTest|OnEachServer)\\b")
          .containsPattern("(void|Stream<DynamicTest>) " + each.group(3) + "\\(");
    }
  }

  private static String source(String module, String name) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
      for (Path file : files.filter(path -> path.endsWith(name + ".java")).toList()) {
        return Files.readString(file);
      }
    }
    throw new AssertionError("no " + name + " in " + module);
  }
}
