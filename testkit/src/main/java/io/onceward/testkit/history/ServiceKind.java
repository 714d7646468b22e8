package io.onceward.testkit.history;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a service of the run is, so far as the checks have to know. */
public enum ServiceKind {
  /** {@code NumberedCounters}. */
  COUNTERS(CounterModel::new),
  /** {@code NumberedRegisters}. */
  REGISTERS(RegisterModel::new),
  /** {@code NumberedLeases}. */
  LEASES(LeaseModel::new),
  /** {@code NumberedLists}. */
  LISTS(ListModel::new),
  /** {@code NumberedAccounts}. */
  ACCOUNTS(AccountModel::new),
  /** Numbered, but nobody has a model of it. */
  NUMBERED(null),
  /** Replies without serials: only what holds for every request is checked. */
  OPAQUE(null);

  @SuppressWarnings("ImmutableEnumChecker") // A constructor, which nobody changes.
  private final @Nullable Supplier<ReferenceModel> model;

  ServiceKind(@Nullable Supplier<ReferenceModel> model) {
    this.model = model;
  }

  @Nullable ReferenceModel newModel() {
    return model == null ? null : model.get();
  }
}
