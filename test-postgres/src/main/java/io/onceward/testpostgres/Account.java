package io.onceward.testpostgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Under which account the server runs. PostgreSQL refuses to run as root, and builds in containers
 * often are root; so there it becomes somebody else first, by whichever of the usual programs the
 * machine has and permits.
 */
final class Account {
  private static final int NOBODY = 65534;

  /** Changes the user id: needs no kernel feature, so it works in ordinary containers too. */
  private static final List<String> SET_USER =
      List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

  /** A user namespace, in which root is called nobody. Forbidden in many containers. */
  private static final List<String> NAMESPACE = List.of("unshare", "-U");

  private final List<String> prefix;
  private final boolean ownsFiles;

  private Account(List<String> prefix, boolean ownsFiles) {
    this.prefix = prefix;
    this.ownsFiles = ownsFiles;
  }

  /** Finds one that is not root. */
  static Account notRoot() {
    if (userIdUnder(List.of()) != 0) {
      return new Account(List.of(), false);
    }
    if (userIdUnder(SET_USER) == NOBODY) {
      return new Account(SET_USER, true);
    }
    if (userIdUnder(NAMESPACE) > 0) {
      return new Account(NAMESPACE, false);
    }
    throw new IllegalStateException(
        "PostgreSQL refuses to run as root, and this machine lets root become nobody else: neither"
            + " '"
            + String.join(" ", SET_USER)
            + "' nor '"
            + String.join(" ", NAMESPACE)
            + "' works here. Run the build as another user, or install util-linux.");
  }

  /** The command, as this account. */
  List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return all;
  }

  /** Gives the folder to this account. */
  void own(Path folder) throws IOException {
    if (ownsFiles) {
      Files.setAttribute(folder, "unix:uid", NOBODY);
      Files.setAttribute(folder, "unix:gid", NOBODY);
    }
  }

  /** The user id that {@code id} tells behind this prefix, or -1 if it cannot be run. */
  private static int userIdUnder(List<String> prefix) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of("id", "-u"));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String told =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      return process.waitFor() == 0 ? Integer.parseInt(told) : -1;
    } catch (IOException | NumberFormatException impossible) {
      return -1;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }
}
