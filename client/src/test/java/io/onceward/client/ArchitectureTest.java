package io.onceward.client;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The logic is driven; only what surrounds it has threads, clocks and a network. */
class ArchitectureTest {
  private static final String LOGIC = "io.onceward.client.session..";

  private static final JavaClasses CLIENT =
      new ClassFileImporter()
          .importUrl(Onceward.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void theLogicReadsNoClockAndThrowsNoDice() {
    check(
        noClasses()
            .that()
            .resideInAPackage(LOGIC)
            .should()
            .accessTargetWhere(
                calls(System.class, "currentTimeMillis|nanoTime|identityHashCode")
                    .or(calls(Math.class, "random"))
                    .or(calls(UUID.class, "randomUUID"))
                    .as("time or chance"))
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("java.time..")
            .orShould()
            .dependOnClassesThat(assignableTo(RandomGenerator.class))
            .because("the simulator owns both"));
  }

  @Test
  void theLogicHasNoThreadsNoLocksAndNoInputOrOutput() {
    check(
        classes()
            .that()
            .resideInAPackage(LOGIC)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java.lang",
                "java.lang.invoke",
                "java.util",
                "java.util.function",
                "io.onceward",
                "io.onceward.replica",
                "io.onceward.wire",
                LOGIC,
                "org.jspecify.annotations")
            .because("events and time go in, actions come out"));
    check(
        noClasses()
            .that()
            .resideInAPackage(LOGIC)
            .should()
            .dependOnClassesThat(assignableTo(Thread.class).or(name("java.util.Timer")))
            .because("whoever drives it has the threads"));
    check(
        com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage(LOGIC)
            .should()
            .haveModifier(JavaModifier.SYNCHRONIZED)
            .because("whoever drives it has the lock"));
  }

  @Test
  void theLogicKeepsNothingUnordered() {
    check(
        noClasses()
            .that()
            .resideInAPackage(LOGIC)
            .should()
            .accessTargetWhere(
                target(owner(name(HashMap.class.getName()).or(name(HashSet.class.getName()))))
                    .as("collections without an order"))
            .because("a seed must give the same run on every machine"));
  }

  @Test
  void onlyTheTransportKnowsGrpc() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("io.onceward.client.transport..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.grpc..")
            .because("the transport is a small interface and gRPC one way to have it"));
  }

  private static void check(ArchRule rule) {
    rule.check(CLIENT);
  }

  private static DescribedPredicate<JavaAccess<?>> calls(Class<?> owner, String names) {
    return target(owner(name(owner.getName()))).and(target(nameMatching(names)));
  }
}
