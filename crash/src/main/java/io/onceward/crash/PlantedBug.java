package io.onceward.crash;

/** Mistakes that others make. The crash test has to find each of them. */
public enum PlantedBug {
  CLAIMS_BEFORE_THE_TRANSACTION(
      Home.TRANSACTION, "claims in a transaction of its own, before the business SQL"),
  RECORDS_AFTER_THE_TRANSACTION(
      Home.TRANSACTION, "records the reply in a transaction of its own, after the business SQL"),
  ANSWERS_BEFORE_THE_COMMIT(Home.TRANSACTION, "answers, then commits"),
  TAKES_UNKNOWN_FOR_FREE(Home.GUARD_ON_JDBC, "runs an unknown request again when its lease ends"),
  CALLS_WITHOUT_A_CLAIM(Home.GUARD_ON_JDBC, "claims nothing before the call, remembers after it"),
  HAS_NO_FENCING(Home.GUARD_ON_JDBC, "lets a run that was overtaken release the request"),
  PROBE_EXCLUDES_NOTHING(
      Home.GUARD_ON_CLUSTER, "says that a run can no longer happen, and cannot know"),
  NEW_ID_FOR_A_RETRY(Home.REPLICATED, "sends a retry under a new id"),
  TAKEN_BEFORE_TOLD(Home.REPLICATED, "drops the reply from its journal before it has told it"),
  JOURNAL_LOCK_VANISHES(
      Home.REPLICATED, "loses the lock of its journal when it tries to open it again");

  private final Home home;
  private final String words;

  PlantedBug(Home home, String words) {
    this.home = home;
    this.words = words;
  }

  public Home home() {
    return home;
  }

  public String inWords() {
    return words;
  }
}
