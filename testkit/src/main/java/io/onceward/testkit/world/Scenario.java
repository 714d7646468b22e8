package io.onceward.testkit.world;

import io.onceward.client.session.Pace;
import io.onceward.replica.Parameter;
import io.onceward.server.DoorLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * What a seed is about. Each seed draws its own mix, and leaves things out on purpose: a run
 * without crashes finds what a run full of them hides.
 *
 * @param digestEveryPositions how often nodes are compared byte for byte
 * @param groupMillis how long a node lets questions lie before it brings them to its door
 * @param silentNode a node that tells its decisions to nobody while it follows; -1 for none
 * @param initial what the administrator sets before anything else
 * @param oddNode a node that computes another digest than its state has, as one with a broken
 *     memory would; -1 for none
 */
record Scenario(
    int nodes,
    Network.Weather weather,
    Faults faults,
    Population population,
    Habits habits,
    long snapshotEveryEntries,
    long snapshotMillis,
    long entriesKeptBehindSnapshot,
    long digestEveryPositions,
    long groupMillis,
    DoorLimits doorLimits,
    int repeatPerMille,
    int silentNode,
    List<Setting> initial,
    int oddNode) {

  record Setting(Parameter parameter, long value) {}

  /** Mean times between faults in milliseconds; 0 means never. */
  record Faults(
      long crashMillis,
      long partitionMillis,
      long electionMillis,
      long clockMillis,
      long stallMillis,
      long clientCrashMillis,
      long adminMillis,
      int yearJumpPerMille,
      int skips,
      boolean poison) {}

  /** How many clients of which kind. */
  record Population(
      int registered, int durable, int auto, int keyed, int unkeyed, int rogues, int principals) {}

  /**
   * How clients behave.
   *
   * @param beatMillis how often a client looks after its requests
   * @param wishPerMille how often a beat brings a new wish
   * @param futurePerMille how many keyed clients have a clock that is far ahead
   * @param deadlinePerMille how many requests have callers who do not wait for ever
   * @param keepAliveMillis how often idle clients want to speak, if the cluster wants it less often
   */
  record Habits(
      long beatMillis,
      int wishPerMille,
      int pipeline,
      int takePerMille,
      int abandonPerMille,
      int askPerMille,
      int closePerMille,
      int quietPerMille,
      int replayPerMille,
      int fingerprintPerMille,
      int orderedPerMille,
      int journalPerMille,
      int acknowledgePerMille,
      int futurePerMille,
      int oddDeedPerMille,
      int mostReplyBytes,
      int deadlinePerMille,
      long retryDelayMillis,
      long answerTimeoutMillis,
      long keepAliveMillis) {}

  static Scenario draw(Dice dice) {
    int nodes = dice.perMille(750) ? 3 : dice.perMille(800) ? 5 : 1;
    boolean poison = dice.perMille(60);
    // Few seeds have a crowd of clients, so that tables grow over many pages.
    boolean crowded = dice.perMille(40);
    // Some are about clients with a journal that die and come back.
    boolean mortal = dice.perMille(150);
    return new Scenario(
        nodes,
        weather(dice),
        faults(dice, poison, mortal),
        population(dice, mortal),
        habits(dice, crowded, mortal),
        crowded ? dice.between(200L, 900L) : dice.between(10L, 300L),
        dice.between(1L, 400L),
        dice.perMille(400) ? 0 : dice.between(1L, 60L),
        crowded ? dice.between(300L, 600L) : dice.between(40L, 90L),
        dice.perMille(250) ? 1 : dice.between(2L, 40L),
        doorLimits(dice),
        dice.perMille(500) ? dice.between(5, 100) : 0,
        poison || dice.perMille(500) ? -1 : dice.below(nodes),
        crowded ? List.of() : settings(dice),
        dice.perMille(150) ? dice.below(nodes) : -1);
  }

  private static Network.Weather weather(Dice dice) {
    if (dice.perMille(150)) {
      return Network.Weather.CALM;
    }
    long most = dice.between(2L, 30L);
    return new Network.Weather(
        sometimes(dice, 700, 5, 120),
        sometimes(dice, 700, 5, 120),
        sometimes(dice, 700, 5, 60),
        1,
        most,
        dice.between(100L, 4_000L));
  }

  /** Small, each of them only in some seeds, so that it shows which one was met. */
  private static DoorLimits doorLimits(Dice dice) {
    return new DoorLimits(
        dice.between(1, 4),
        dice.perMille(300) ? dice.between(60, 400) : 4 << 20,
        dice.perMille(300) ? dice.between(1, 5) : 1 << 14,
        dice.perMille(300) ? dice.between(1, 12) : 1 << 16,
        dice.perMille(300) ? dice.between(1_500, 6_000) : 128 << 20);
  }

  private static Faults faults(Dice dice, boolean poison, boolean mortal) {
    return new Faults(
        sometimes(dice, 650, 3_000, 30_000),
        sometimes(dice, 550, 3_000, 30_000),
        sometimes(dice, 600, 1_000, 20_000),
        sometimes(dice, 600, 2_000, 20_000),
        sometimes(dice, 400, 2_000, 20_000),
        mortal ? dice.between(200, 1_500) : sometimes(dice, 700, 1_000, 10_000),
        sometimes(dice, 700, 1_000, 8_000),
        sometimes(dice, 120, 20, 200),
        dice.perMille(750) ? dice.between(1, 5) : 0,
        poison);
  }

  private static Population population(Dice dice, boolean mortal) {
    return new Population(
        dice.below(5),
        mortal ? dice.between(2, 4) : dice.below(5),
        dice.below(4),
        1 + dice.below(4),
        dice.below(2),
        dice.perMille(700) ? dice.between(1, 2) : 0,
        dice.between(1, 3));
  }

  private static Habits habits(Dice dice, boolean crowded, boolean mortal) {
    return new Habits(
        crowded ? 50 : dice.between(80L, 300L),
        crowded ? 900 : dice.between(150, 700),
        crowded ? dice.between(20, 60) : dice.between(1, 8),
        dice.between(100, 900),
        sometimes(dice, 600, 2, 30),
        sometimes(dice, 600, 2, 30),
        sometimes(dice, 400, 1, 8),
        sometimes(dice, 500, 1, 20),
        sometimes(dice, 600, 5, 60),
        dice.between(0, 1000),
        dice.between(0, 1000),
        mortal ? 1_000 : dice.between(0, 1000),
        dice.between(0, 900),
        sometimes(dice, 300, 50, 300),
        sometimes(dice, 700, 10, 120),
        dice.perMille(300) ? 300 : 48,
        sometimes(dice, 500, 20, 300),
        dice.between(20L, 200L),
        dice.between(100L, 900L),
        dice.perMille(250) ? dice.between(300L, 4_000L) : Pace.AS_THE_CLUSTER_WANTS);
  }

  /** Small numbers, so that a short run sees expiry, full tables and horizons. */
  private static List<Setting> settings(Dice dice) {
    List<Setting> settings = new ArrayList<>();
    set(settings, dice, 850, Parameter.SESSION_EXPIRY_MILLIS, 1_500, 20_000);
    set(settings, dice, 850, Parameter.DURABLE_EXPIRY_MILLIS, 2_000, 60_000);
    set(settings, dice, 900, Parameter.KEEP_ALIVE_MILLIS, 300, 4_000);
    set(settings, dice, 900, Parameter.RETENTION_MILLIS, 600_000, 1_800_000);
    set(settings, dice, 500, Parameter.DEFAULT_WINDOW, 1, 64);
    set(settings, dice, 300, Parameter.MAX_WINDOW, 8, 64);
    set(settings, dice, 1_000, Parameter.MAX_REPLY_BYTES, 24, 300);
    set(settings, dice, 300, Parameter.MAX_COMMAND_BYTES, 32, 100);
    set(settings, dice, 400, Parameter.MAX_TABLE_BYTES, 1 << 16, 1 << 17);
    set(settings, dice, 300, Parameter.MAX_PRINCIPAL_BYTES, 1 << 12, 1 << 15);
    set(settings, dice, 300, Parameter.MAX_SESSIONS_PER_PRINCIPAL, 1, 6);
    set(settings, dice, 200, Parameter.FUTURE_MILLIS, 0, 60_000);
    set(settings, dice, 600, Parameter.MAX_SERVICE_BYTES, 1 << 16, 1 << 17);
    set(settings, dice, 200, Parameter.MAX_ALIASES, 0, 6);
    return settings;
  }

  /** How patient the clients' library is. */
  Pace pace() {
    return new Pace(
        habits.retryDelayMillis(), habits.answerTimeoutMillis(), habits.keepAliveMillis());
  }

  /** What the keep-alive interval is when nobody has changed it since the beginning. */
  long keepAliveMillis() {
    for (Setting setting : initial) {
      if (setting.parameter() == Parameter.KEEP_ALIVE_MILLIS) {
        return setting.value();
      }
    }
    return Parameter.KEEP_ALIVE_MILLIS.initial();
  }

  private static void set(
      List<Setting> settings, Dice dice, int chance, Parameter parameter, long low, long high) {
    long value = dice.between(low, high);
    if (dice.perMille(chance)) {
      settings.add(new Setting(parameter, value));
    }
  }

  private static int sometimes(Dice dice, int chance, int low, int high) {
    int drawn = dice.between(low, high);
    return dice.perMille(chance) ? drawn : 0;
  }
}
