package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.replica.Replica.SessionView;
import java.util.List;
import java.util.Optional;

/** Finds the session that somebody means. */
final class SessionSearch {
  private static final int PAGE = 1_000;

  private SessionSearch() {}

  /**
   * Looks through all sessions for the one with this number or name.
   *
   * @throws CommandFailure if there is none
   */
  static SessionView find(Onceward client, String word) {
    return look(client, word)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.NO, "there is no session " + word + "; it may be closed or expired"));
  }

  /** The session with this number or name, if there is one. */
  static Optional<SessionView> look(Onceward client, String word) {
    long after = 0;
    while (true) {
      List<SessionView> page = ClientCommand.await(client.admin().sessions(after, PAGE));
      for (SessionView session : page) {
        if (SessionText.names(word, session)) {
          return Optional.of(session);
        }
      }
      if (page.size() < PAGE) {
        return Optional.empty();
      }
      after = page.get(page.size() - 1).session();
    }
  }
}
