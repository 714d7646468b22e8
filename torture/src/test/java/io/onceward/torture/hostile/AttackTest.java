package io.onceward.torture.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class AttackTest {

  /** By the names in the compiled list: what nobody lists never strikes. */
  @Test
  void everyAttackThatIsWrittenIsListed() throws Exception {
    URL compiled = Objects.requireNonNull(Attack.class.getResource("Attack.class"));
    Path classes = Path.of(compiled.toURI()).getParent();
    String listed = Files.readString(classes.resolve("Attack.class"), StandardCharsets.ISO_8859_1);
    int written = 0;
    try (DirectoryStream<Path> found = Files.newDirectoryStream(classes, "*Attacks.class")) {
      for (Path file : found) {
        String name = file.getFileName().toString().replace(".class", "");
        Class<?> attacks = Class.forName(Attack.class.getPackageName() + "." + name);
        for (Method method : attacks.getDeclaredMethods()) {
          if (isAttack(method)) {
            written++;
            String entry = "\0" + (char) method.getName().length() + method.getName();
            assertThat(listed.contains(entry)).as(name + "." + method.getName()).isTrue();
          }
        }
      }
    }
    assertThat(written).isEqualTo(Attack.values().length);
  }

  private static boolean isAttack(Method method) {
    return method.getReturnType() == Strike.class
        && method.getParameterCount() == 1
        && !Modifier.isPrivate(method.getModifiers());
  }
}
