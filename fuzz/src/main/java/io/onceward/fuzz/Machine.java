package io.onceward.fuzz;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether Jazzer can run here: it brings native code for some machines, and attaches an agent. */
final class Machine {
  private Machine() {}

  /** What Jazzer lacks here; null if it can run. */
  static @Nullable String missing() {
    String driver = "/com/code_intelligence/jazzer/driver/jazzer_driver_" + machine() + "/";
    if (Machine.class.getResource(driver + System.mapLibraryName("jazzer_driver")) == null) {
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
