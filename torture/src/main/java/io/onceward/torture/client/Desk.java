package io.onceward.torture.client;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.RequestId;
import io.onceward.client.Decided;
import io.onceward.client.DurableSession;
import io.onceward.client.Keyed;
import io.onceward.client.Onceward;
import io.onceward.client.Recovered;
import io.onceward.client.Session;
import io.onceward.replica.Request;
import io.onceward.services.ServiceDirectory;
import io.onceward.torture.client.Workload.Errand;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Where one client hands in its errands: how they are named differs, what they do does not. */
abstract class Desk {
  /** One in so many callers stops waiting after a moment, and abandons the request. */
  private static final int IMPATIENT = 15;

  private static final Duration A_MOMENT = Duration.ofMillis(400);
  private static final int LATEST_COPY_SECONDS = 60;

  /** What all desks of a process share. */
  record Surroundings(
      Notebook notebook,
      Copycat copycat,
      ScheduledExecutorService later,
      Random dice,
      int copiesPercent) {

    boolean wantsCopies() {
      return dice.nextInt(100) < copiesPercent;
    }

    /** Soon, or long after the reply. */
    long someMillis() {
      return dice.nextInt(4) == 0 ? dice.nextInt(LATEST_COPY_SECONDS * 1_000) : dice.nextInt(300);
    }

    boolean isImpatient() {
      return dice.nextInt(IMPATIENT) == 0;
    }
  }

  final String client;
  final Surroundings around;
  final Workload workload;

  Desk(String client, Surroundings around) {
    this.client = client;
    this.around = around;
    this.workload = new Workload(client, around.dice());
  }

  /** Sends an errand under an id that is used for nothing else. */
  abstract void ask(String id, Errand errand);

  /** Asks without changing anything. */
  final void query(Onceward onceward) {
    Errand question = workload.question();
    around
        .notebook()
        .query(
            client,
            question,
            () -> onceward.query(question.service(), question.command()),
            reply -> workload.learn(question, reply));
  }

  /** Asks a node that may not lead any more. */
  final void queryAnyNode() {
    Errand question = workload.question();
    long op = around.notebook().querying(client + " at any node", question);
    around
        .copycat()
        .query(
            ServiceDirectory.address(question.service(), question.command()),
            around.dice().nextInt(Integer.MAX_VALUE),
            heard -> around.notebook().heard(op, heard));
  }

  /** Sends one or more copies of a request that was answered. */
  final void copyLater(String id, Errand errand, Request request) {
    for (int i = around.dice().nextInt(3); i >= 0; i--) {
      var unused =
          around
              .later()
              .schedule(
                  () -> {
                    long op = around.notebook().copying(client + " again", id, errand);
                    around.copycat().send(request, heard -> around.notebook().heard(op, heard));
                  },
                  around.someMillis(),
                  TimeUnit.MILLISECONDS);
    }
  }

  /** A copy of a session's request, made after it was answered; its watermark moves nothing. */
  static Request copy(Errand errand, RequestId.OfSequence id) {
    var payload = ServiceDirectory.address(errand.service(), errand.command());
    return new Request.InSession(
        id.address(), id.sequence(), 1, Fingerprint.ofPayload(payload), payload);
  }

  /** A session without a journal. */
  static final class OfSession extends Desk {
    private final Session session;
    private final boolean ordered;

    OfSession(String client, Surroundings around, Session session, boolean ordered) {
      super(client, around);
      this.session = session;
      this.ordered = ordered;
    }

    @Override
    void ask(String id, Errand errand) {
      long op = around.notebook().asking(client, id, errand);
      CompletableFuture<Decided> answer =
          around.isImpatient()
              ? session.submit(errand.service(), errand.command(), A_MOMENT)
              : session.submit(errand.service(), errand.command());
      boolean copies = around.wantsCopies();
      var unused = answer.exceptionally(problem -> null);
      around
          .notebook()
          .heed(
              op,
              client,
              id,
              errand.service(),
              ordered,
              answer,
              () -> session.abandon(idOf(answer)),
              decided -> {
                workload.learn(errand, decided.reply());
                if (copies) {
                  copyLater(id, errand, copy(errand, (RequestId.OfSequence) decided.id()));
                }
              });
    }

    /** The library's own id of a request whose caller stopped waiting. */
    private static RequestId idOf(CompletableFuture<Decided> answer) {
      try {
        answer.join();
      } catch (java.util.concurrent.CompletionException failed) {
        if (failed.getCause() instanceof io.onceward.client.OutcomeUnknownException unknown) {
          return unknown.requestId().orElseThrow();
        }
      }
      throw new IllegalStateException("it was answered");
    }
  }

  /** A durable name with a journal, which outlives its process. */
  static final class OfJournal extends Desk {
    private final DurableSession session;
    private final boolean ordered;

    OfJournal(String client, Surroundings around, DurableSession session, boolean ordered) {
      super(client, around);
      this.session = session;
      this.ordered = ordered;
      for (Recovered left : session.recovered()) {
        // The tag says which service it was for: nobody else remembers.
        String service = left.tag().substring(left.tag().indexOf(' ') + 1);
        long op = around.notebook().resuming(client, left.tag(), service);
        heed(op, left.tag(), service, left.decision());
      }
    }

    @Override
    void ask(String id, Errand errand) {
      String tag = id + " " + errand.service();
      long op = around.notebook().asking(client, tag, errand);
      boolean copies = around.wantsCopies();
      CompletableFuture<Decided> answer = session.submit(tag, errand.service(), errand.command());
      heed(op, tag, errand.service(), answer);
      if (copies) {
        var unused =
            answer.thenAccept(
                decided ->
                    copyLater(tag, errand, copy(errand, (RequestId.OfSequence) decided.id())));
      }
    }

    /** First into the history, then out of the journal: whenever it dies, one of them has it. */
    private void heed(long op, String tag, String service, CompletableFuture<Decided> answer) {
      around
          .notebook()
          .heed(op, client, tag, service, ordered, answer, null, decided -> session.taken(tag));
    }
  }

  /** Keys, also sent again by another client that knows them. */
  static final class OfKeys extends Desk {
    private final Keyed keyed;
    private final List<Keyed> others;

    OfKeys(String client, Surroundings around, Keyed keyed, List<Keyed> others) {
      super(client, around);
      this.keyed = keyed;
      this.others = List.copyOf(others);
    }

    @Override
    void ask(String id, Errand errand) {
      Key key = keyed.newKey();
      String name = new RequestId.OfKey(keyed.scope(), key).print();
      long op = around.notebook().asking(client, name, errand);
      heed(
          op,
          client,
          name,
          errand,
          around.isImpatient()
              ? keyed.submit(key, errand.service(), errand.command(), A_MOMENT)
              : keyed.submit(key, errand.service(), errand.command()),
          key);
      if (!around.wantsCopies()) {
        return;
      }
      if (around.dice().nextBoolean()) {
        // At the same time, by somebody else.
        Keyed other = others.get(around.dice().nextInt(others.size()));
        long copy = around.notebook().copying(client + " too", name, errand);
        heed(
            copy,
            client + " too",
            name,
            errand,
            other.submit(key, errand.service(), errand.command()),
            key);
      }
      var payload = ServiceDirectory.address(errand.service(), errand.command());
      copyLater(
          name,
          errand,
          new Request.Keyed(
              keyed.scope(), key, Fingerprint.ofPayload(payload), List.of(), payload));
    }

    private void heed(
        long op,
        String who,
        String name,
        Errand errand,
        CompletableFuture<Decided> answer,
        Key key) {
      // Often by somebody else, who may be quicker than what is still on its way.
      Keyed judge =
          around.dice().nextBoolean() ? keyed : others.get(around.dice().nextInt(others.size()));
      around
          .notebook()
          .heed(
              op,
              who,
              name,
              errand.service(),
              false,
              answer,
              () -> judge.abandon(key),
              decided -> workload.learn(errand, decided.reply()));
    }
  }
}
