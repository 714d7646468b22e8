package io.onceward.torture.teeth;

import io.onceward.torture.Run;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/** Plants one mistake in the process in which it starts. */
public final class Agent {
  private Agent() {}

  /** Called by Java before the program; the argument names the mistake. */
  public static void premain(String name, Instrumentation instrumentation) {
    PlantedBug bug = PlantedBug.valueOf(name);
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .type(ElementMatchers.named(bug.type()))
        .transform(
            (builder, type, loader, module, domain) ->
                builder.visit(Advice.to(bug.mistake()).on(bug.where())))
        .installOn(instrumentation);
  }

  /** What a run must do so that its processes make this mistake. */
  static Run.Planting planting(PlantedBug bug, Path folder) throws IOException {
    Path jar = folder.resolve("agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", Agent.class.getName());
    // It holds nothing: the classes are on the class path of the process already.
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream empty = new JarOutputStream(out, manifest)) {
      empty.finish();
    }
    List<String> flags = List.of("-javaagent:" + jar + "=" + bug.name());
    return bug.isInClient()
        ? new Run.Planting(List.of(), flags, bug.takesLong())
        : new Run.Planting(flags, List.of(), bug.takesLong());
  }
}
