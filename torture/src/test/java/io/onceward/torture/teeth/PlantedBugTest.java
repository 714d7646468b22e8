package io.onceward.torture.teeth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.bytebuddy.description.method.MethodDescription;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlantedBugTest {
  /** A method that was renamed would be left as it is, and a run of a minute find nothing. */
  @ParameterizedTest
  @EnumSource
  void placeOfTheMistakeIsThere(PlantedBug bug) throws ClassNotFoundException {
    assertThat(Arrays.asList(Class.forName(bug.type()).getDeclaredMethods()))
        .anyMatch(method -> bug.where().matches(new MethodDescription.ForLoadedMethod(method)));
  }
}
