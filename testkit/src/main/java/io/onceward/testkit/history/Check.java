package io.onceward.testkit.history;

/** One promise, named by its class, held against a whole history at once. */
abstract class Check {
  private final String promise;

  Check(String promise) {
    this.promise = promise;
  }

  final String name() {
    return getClass().getSimpleName();
  }

  final Finding of(Evidence evidence) {
    Findings findings = new Findings(name(), promise);
    check(evidence, findings);
    return findings.done();
  }

  abstract void check(Evidence evidence, Findings findings);
}
