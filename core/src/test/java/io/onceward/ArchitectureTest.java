package io.onceward;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandomSpi;
import java.time.Clock;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The log alone determines what a replica does. So nothing under {@code replica} and {@code
 * services} may ask the machine it runs on: not for the time, not for chance, not for another
 * thread, and not for the order of a collection that has none. The same log on another node, or
 * tomorrow, must give the same tables.
 */
class ArchitectureTest {
  private static final String[] APPLIED = {"io.onceward.replica..", "io.onceward.services.."};

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .importUrl(Key.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void whatIsAppliedReadsNoClock() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(APPLIED)
            .should()
            .accessTargetWhere(
                calls(System.class, "currentTimeMillis|nanoTime")
                    .or(calls("java.time", "now"))
                    .as("the time of the machine"))
            .orShould()
            .dependOnClassesThat(assignableTo(Clock.class))
            .because("time comes from the log"));
  }

  @Test
  void whatIsAppliedThrowsNoDice() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(APPLIED)
            .should()
            .accessTargetWhere(
                calls(Math.class, "random")
                    .or(calls(UUID.class, "randomUUID"))
                    .or(calls("java.util", "shuffle"))
                    .as("chance"))
            .orShould()
            .dependOnClassesThat(
                assignableTo(RandomGenerator.class).or(assignableTo(SecureRandomSpi.class)))
            .because("two replicas would throw different dice"));
  }

  @Test
  void whatIsAppliedStartsNoThread() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(APPLIED)
            .should()
            .dependOnClassesThat(
                assignableTo(Thread.class)
                    .or(assignableTo(Executor.class))
                    .or(name("java.util.concurrent.Executors"))
                    .or(name("java.util.concurrent.CompletableFuture"))
                    .or(name("java.util.concurrent.ForkJoinTask"))
                    .or(name("java.util.Timer")))
            .orShould()
            .accessTargetWhere(
                calls("java.util..", "parallel|parallelStream").as("parallel streams"))
            .because("the order of the log is the only order"));
  }

  /**
   * Linked collections have an order and are allowed. Enum maps do too. A sorted map is the usual
   * answer, an array the fast one.
   */
  @Test
  void whatIsAppliedKeepsNothingUnordered() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(APPLIED)
            .should()
            .dependOnClassesThat(
                unordered(
                    HashMap.class,
                    HashSet.class,
                    Hashtable.class,
                    IdentityHashMap.class,
                    WeakHashMap.class,
                    ConcurrentHashMap.class))
            .orShould()
            .accessTargetWhere(
                calls(Map.class, "of|ofEntries|copyOf")
                    .or(calls(Set.class, "of|copyOf"))
                    .or(
                        calls(
                            "java.util.stream",
                            "toMap|toSet|groupingBy|partitioningBy|toUnmodifiableMap"
                                + "|toUnmodifiableSet|toConcurrentMap|groupingByConcurrent"))
                    .as("collections whose order is nobody's promise"))
            .because("iterating it would differ from node to node"));
  }

  @Test
  void whatIsAppliedKnowsNoIdentityHash() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(APPLIED)
            .should()
            .accessTargetWhere(
                calls(System.class, "identityHashCode")
                    .or(calls(Object.class, "hashCode"))
                    .as("the identity hash of an object"))
            .because("it is the address of an object by another name"));
  }

  @Test
  void coreStandsOnTheJdkAlone() {
    check(
        classes()
            .that()
            .resideInAPackage("io.onceward..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "io.onceward..", "org.jspecify.annotations..")
            .because("whoever adds core to a class path adds one jar"));
  }

  @Test
  void onlyTheEngineKnowsRatis() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("..engine.ratis..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.ratis..")
            .because("the engine is a port and Ratis one adapter of it"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CORE);
  }

  private static DescribedPredicate<JavaAccess<?>> calls(Class<?> owner, String names) {
    return target(owner(name(owner.getName()))).and(target(nameMatching(names)));
  }

  private static DescribedPredicate<JavaAccess<?>> calls(String packageName, String names) {
    return target(owner(resideInAnyPackage(packageName))).and(target(nameMatching(names)));
  }

  private static DescribedPredicate<JavaClass> unordered(Class<?>... types) {
    return describe(
        "are unordered collections",
        type -> {
          for (Class<?> ordered :
              new Class<?>[] {LinkedHashMap.class, LinkedHashSet.class, EnumMap.class}) {
            if (type.isAssignableTo(ordered)) {
              return false;
            }
          }
          for (Class<?> each : types) {
            if (type.isAssignableTo(each)) {
              return true;
            }
          }
          return false;
        });
  }
}
