package io.onceward.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.transaction.annotation.Isolation;

/** One case of {@link MatrixTest}: a request, what ends it, and what has to hold after that. */
record MatrixCell(Transaction transaction, Isolation isolation, Ending ending) {
  /** In which transaction a method with {@link Once} is called. */
  enum Transaction {
    /** In none, so that it has its own. */
    OWN,
    /** In one of the same manager. */
    JOINED,
    /** In one of a manager that knows nothing of the tables. */
    OTHER_MANAGER
  }

  /** What becomes of the first copy. */
  enum Ending {
    SUCCESS,
    BUSINESS_ERROR,
    UNMAPPED_EXCEPTION,
    /** The server commits, and its answer does not arrive. */
    COMMIT_ANSWER_LOST,
    /** The connection breaks before the server hears of the commit. */
    COMMIT_LOST,
    /** The process is killed in the middle of the method, after its writes. */
    CRASH_BEFORE_COMMIT,
    /** The process is killed between the commit and the answer to the caller. */
    CRASH_AFTER_COMMIT;

    boolean isCrash() {
      return this == CRASH_BEFORE_COMMIT || this == CRASH_AFTER_COMMIT;
    }

    boolean isOfTheWire() {
      return this == COMMIT_ANSWER_LOST || this == COMMIT_LOST;
    }
  }

  static final String NOTHING = "nothing";
  static final String DECLINED = "Declined: no funds";
  static final String BROKEN = "IllegalStateException: broken";

  /** What the owner of a joined transaction is told, who commits it. */
  static final String COMMIT_FAILED = "the commit failed";

  static final String ROLLED_BACK = "UnexpectedRollbackException";

  /**
   * What has to hold.
   *
   * @param told to the first caller
   * @param stored state and kind of the record then
   * @param rows of the method then
   * @param outer rows of the transaction around the method then
   * @param retry what the second and the third copy are told
   * @param rowsAtTheEnd of the method, after three copies
   * @param runs of the method, of all copies but those of a killed process
   */
  record Expected(
      String told, String stored, int rows, int outer, String retry, int rowsAtTheEnd, int runs) {}

  static List<MatrixCell> all() {
    List<MatrixCell> all = new ArrayList<>();
    for (Ending ending : Ending.values()) {
      for (Transaction transaction : Transaction.values()) {
        for (Isolation isolation :
            List.of(Isolation.READ_COMMITTED, Isolation.REPEATABLE_READ, Isolation.SERIALIZABLE)) {
          all.add(new MatrixCell(transaction, isolation, ending));
        }
      }
    }
    return all;
  }

  /** In small letters: "COMMIT" is what the wire looks for. */
  String key() {
    return words(transaction) + ", " + words(isolation) + ", " + words(ending);
  }

  private static String words(Enum<?> each) {
    return each.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** What the method answers. */
  String booked(int run, String process) {
    return key() + ": booked at " + words(isolation) + " in run " + run + " of " + process;
  }

  Expected expected(boolean jpa) {
    boolean joined = transaction == Transaction.JOINED;
    boolean bare = transaction == Transaction.OWN;
    String first = booked(1, "the first process");
    String second = booked(2, "the first process");
    String kept = "DONE OK";
    int around = bare ? 0 : 1;
    return switch (ending) {
      case SUCCESS -> new Expected(first, kept, 1, around, first, 1, 1);
      case BUSINESS_ERROR ->
          joined && jpa
              // A persistence context knows nothing of savepoints, so the whole is rolled back.
              ? new Expected(ROLLED_BACK, NOTHING, 0, 0, ROLLED_BACK, 0, 3)
              : new Expected(DECLINED, "DONE BUSINESS_ERROR", 0, joined ? 1 : 0, DECLINED, 0, 1);
      case UNMAPPED_EXCEPTION -> new Expected(BROKEN, NOTHING, 0, 0, second, 1, 2);
      case COMMIT_ANSWER_LOST ->
          joined
              ? new Expected(COMMIT_FAILED, kept, 1, 1, first, 1, 1)
              : new Expected(first, kept, 1, around, first, 1, 1);
      case COMMIT_LOST ->
          joined
              ? new Expected(COMMIT_FAILED, NOTHING, 0, 0, second, 1, 2)
              : new Expected(second, kept, 1, around, second, 1, 2);
      case CRASH_BEFORE_COMMIT -> new Expected(NOTHING, NOTHING, 0, 0, first, 1, 1);
      case CRASH_AFTER_COMMIT ->
          new Expected(NOTHING, kept, 1, joined ? 1 : 0, booked(1, "the killed process"), 1, 0);
    };
  }
}
