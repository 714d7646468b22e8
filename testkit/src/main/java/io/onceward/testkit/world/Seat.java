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
  private final @Nullable JournalDisk disk;
  private final Application application = new Application();
  private @Nullable SessionClient atHome;
  private @Nullable SessionClient elsewhere;

  Seat(World world, String principal, ClientKind kind, String name, @Nullable JournalDisk disk) {
    this.world = world;
    this.principal = principal;
    this.kind = kind;
    this.name = name;
    this.disk = disk;
  }

  void startAtHome() {
    if (atHome == null || !atHome.isAlive()) {
      Application left = disk == null ? new Application() : application;
      atHome = new SessionClient(world, principal, kind, name, disk, left);
      atHome.begin();
    }
  }

  /** The same name, opened where the journal is not. */
  void startElsewhere() {
    if (elsewhere != null) {
      elsewhere.die();
    }
    elsewhere = new SessionClient(world, principal, kind, name, null, new Application());
    elsewhere.begin();
  }

  void crashAtHome() {
    if (atHome != null && atHome.isAlive()) {
      atHome.die();
    }
  }

  void crashElsewhere() {
    if (elsewhere != null && elsewhere.isAlive()) {
      elsewhere.die();
    }
  }

  boolean hasJournal() {
    return disk != null;
  }

  ClientKind kind() {
    return kind;
  }
}
