package io.onceward.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses SERVER =
      new ClassFileImporter()
          .importUrl(Door.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void onlyItsAdapterKnowsRatis() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..engine.ratis..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.ratis..")
        .because("the engine is a port; whoever changes the log changes one package")
        .check(SERVER);
  }

  @Test
  void onlyTheServerItselfStartsTheAdapter() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..engine.ratis..")
        .and()
        .doNotHaveFullyQualifiedName(OncewardServer.class.getName())
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..engine.ratis..")
        .check(SERVER);
  }

  /** The simulator drives the leader and door that ship: neither may ask the machine anything. */
  @Test
  void leaderAndDoorHaveNoClockNoThreadNoLockAndNoSocket() {
    noClasses()
        .that()
        .haveFullyQualifiedName(Door.class.getName())
        .or()
        .haveNameMatching(".*\\.(Leader|Reading|Tables|Twin|Visitor|Waiting|DoorLimits)(\\$.*)?")
        .or()
        .haveNameMatching(".*\\.Door\\$.*")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.util.concurrent..", "java.time..", "java.net..", "io.grpc..")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.System")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.Thread")
        .check(SERVER);
  }
}
