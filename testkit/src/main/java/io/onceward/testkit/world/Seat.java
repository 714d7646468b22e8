package io.onceward.testkit.world;

import io.onceward.ClientKind;
import org.jspecify.annotations.Nullable;

/**
 * One client as its users know it: a name and, at home, perhaps a journal. Processes come and go,
 * at home or elsewhere, and now and then two of them believe to be the one.
 */
final class Seat {
  private final World world;
  private final String principal;
  private final ClientKind kind;
  private final String name;
  private final @Nullable Journal journal;
  private @Nullable SessionClient atHome;
  private @Nullable SessionClient elsewhere;

  Seat(World world, String principal, ClientKind kind, String name, boolean journaled) {
    this.world = world;
    this.principal = principal;
    this.kind = kind;
    this.name = name;
    this.journal = journaled ? new Journal() : null;
  }

  void startAtHome() {
    if (atHome == null || !atHome.isAlive()) {
      Journal left = journal == null ? new Journal() : journal;
      atHome = new SessionClient(world, principal, kind, name, left, journal != null);
      atHome.begin();
    }
  }

  /** The same name, opened where the journal is not. */
  void startElsewhere() {
    if (elsewhere != null) {
      elsewhere.die();
    }
    elsewhere = new SessionClient(world, principal, kind, name, new Journal(), false);
    elsewhere.begin();
  }

  void crashAtHome() {
    if (atHome != null) {
      atHome.die();
    }
  }

  void crashElsewhere() {
    if (elsewhere != null) {
      elsewhere.die();
    }
  }

  ClientKind kind() {
    return kind;
  }
}
