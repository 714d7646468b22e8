package io.onceward.cli.demo;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.client.Decided;
import io.onceward.client.DurableSession;
import io.onceward.client.Keyed;
import io.onceward.client.Onceward;
import io.onceward.client.Recovered;
import io.onceward.client.Session;
import io.onceward.client.SessionOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** Where a client hands in its errands: what they are named by differs, what they do does not. */
interface Desk {
  /** Keys of which nobody says that their replies were taken: they can be sent again at the end. */
  Scope KEPT = new Scope("kept");

  /** Keys whose replies are acknowledged once they are taken. */
  Scope ACKNOWLEDGED = new Scope("acknowledged");

  /** One in so many callers stops waiting after a moment. */
  int IMPATIENT = 40;

  /** One in so many requests goes by key, for clients without a journal. */
  int KEYED = 4;

  /** One in so many keyed requests is sent twice by the caller himself. */
  int TWICE = 8;

  Duration A_MOMENT = Duration.ofMillis(400);

  void ask(String tag, Errand errand, RandomGenerator dice) throws IOException;

  static Desk open(ClientPlan plan, Onceward onceward, ClientProgram program) {
    return switch (plan.kind()) {
      case REGISTERED ->
          new Plain(
              onceward.open(SessionOptions.registered()).join(),
              onceward.keyed(ACKNOWLEDGED),
              program);
      case AUTO ->
          new Plain(
              onceward.open(SessionOptions.auto(plan.name())).join(),
              onceward.keyed(KEPT).keepingReplies(),
              program);
      case DURABLE -> Journaled.open(plan, onceward, program);
    };
  }

  /** A session, and keys beside it. */
  record Plain(Session session, Keyed keyed, ClientProgram program) implements Desk {
    @Override
    public void ask(String tag, Errand errand, RandomGenerator dice) throws IOException {
      boolean byKey = dice.nextInt(KEYED) == 0;
      boolean impatient = dice.nextInt(IMPATIENT) == 0;
      int copies = byKey && dice.nextInt(TWICE) == 0 ? 2 : 1;
      String service = Orders.service(errand);
      Bytes command = Orders.command(errand);
      program.asking(tag, errand, copies);
      if (byKey) {
        Key key = keyed.newKey();
        for (int copy = 0; copy < copies; copy++) {
          program.heed(
              tag, keyed.submit(key, service, command), id -> keyed.abandon(key), () -> {});
        }
      } else {
        program.heed(
            tag,
            impatient
                ? session.submit(service, command, A_MOMENT)
                : session.submit(service, command),
            session::abandon,
            () -> {});
      }
    }
  }

  /** A durable name with a journal. */
  record Journaled(DurableSession session, ClientProgram program) implements Desk {
    static Journaled open(ClientPlan plan, Onceward onceward, ClientProgram program) {
      Journaled desk =
          new Journaled(onceward.openDurable(plan.name(), plan.journal()).join(), program);
      for (Recovered left : desk.session.recovered()) {
        program.recovered(left.tag());
        desk.heed(left.tag(), left.decision());
      }
      return desk;
    }

    @Override
    public void ask(String tag, Errand errand, RandomGenerator dice) throws IOException {
      program.asking(tag, errand, 1);
      heed(tag, session.submit(tag, Orders.service(errand), Orders.command(errand)));
    }

    /** First into the record, then out of the journal: whenever it dies, one of them has it. */
    private void heed(String tag, CompletableFuture<Decided> answer) {
      program.heed(tag, answer, session::abandon, () -> session.taken(tag));
    }
  }
}
