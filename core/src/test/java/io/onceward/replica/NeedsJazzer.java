package io.onceward.replica;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Locale;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** On a fuzz test: where Jazzer cannot run, the test is skipped, and says so. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsJazzer.Condition.class)
public @interface NeedsJazzer {

  /** Jazzer brings native code for some machines, and attaches an agent to its own process. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      String missing = missing();
      if (missing == null) {
        return ConditionEvaluationResult.enabled("Jazzer can run here");
      }
      String line = context.getDisplayName() + " SKIPPED: Jazzer cannot run here, no " + missing;
      System.err.println(line);
      return ConditionEvaluationResult.disabled(line);
    }

    private static String missing() {
      String driver = "/com/code_intelligence/jazzer/driver/jazzer_driver_" + machine() + "/";
      String library = System.mapLibraryName("jazzer_driver");
      if (Condition.class.getResource(driver + library) == null) {
        return "native driver for " + machine();
      }
      for (String module : new String[] {"java.instrument", "jdk.attach"}) {
        if (ModuleLayer.boot().findModule(module).isEmpty()) {
          return "module " + module + " in this Java runtime";
        }
      }
      return null;
    }

    private static String machine() {
      String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
      String family = os.startsWith("mac") ? "macos" : os.startsWith("win") ? "windows" : os;
      String processor = System.getProperty("os.arch");
      return family + "_" + (processor.equals("amd64") ? "x86_64" : processor);
    }
  }
}
