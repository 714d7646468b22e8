package io.onceward.crash;

import io.onceward.Reply;
import io.onceward.crash.Child.Event;
import io.onceward.crash.child.ChildSettings;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One caller: it sends a request until it has an answer, sends it once more to see the same answer,
 * and goes on to the next. It knows nothing of kills but that its connection breaks.
 */
final class Driver {
  private static final int COPIES_ANSWERED = 2;

  /** After so many copies without a decision the caller gives up: the request counts as lost. */
  private static final int MOST_UNDECIDED = 200;

  private static final int PAUSE_MILLIS = 20;

  private final int lane;
  private final Campaign campaign;
  private @Nullable Child child;
  private @Nullable Round round;
  private @Nullable Step stop;
  private boolean at;
  private boolean told;
  private boolean waiting;
  private boolean pausing;

  Driver(int lane, Campaign campaign) {
    this.lane = lane;
    this.campaign = campaign;
  }

  /** Goes on with a new process. */
  void start(Child with, boolean paused) {
    child = with;
    pausing = paused;
    if (round == null) {
      next();
    } else {
      round.answers = 0;
      ask(paused || round.pausedIn != null ? null : campaign.schedule().again(round));
    }
  }

  boolean isWaiting() {
    return waiting;
  }

  @Nullable Round round() {
    return round;
  }

  /** The process is killed, or left to itself while it is paused. */
  void abandoned(Child by) {
    if (round != null) {
      if (stop == Step.PAUSED) {
        round.pausedIn = by;
      } else {
        round.kills++;
      }
    }
  }

  private void next() {
    round = campaign.schedule().next(lane, pausing);
    waiting = false;
    if (round != null) {
      ask(round.step);
    }
  }

  private Round current() {
    return Objects.requireNonNull(round, "round");
  }

  private Child child() {
    return Objects.requireNonNull(child, "child");
  }

  private void ask(@Nullable Step where) {
    Round asked = current();
    asked.copies++;
    stop = where;
    at = false;
    told = false;
    waiting = true;
    child().tell(lane, asked.order(where));
  }

  void hear(Event event) {
    if (event instanceof Event.At) {
      at = true;
      waiting = stop == Step.ANSWER_AFTER && !told;
    } else if (event instanceof Event.Told line) {
      String[] words = line.line().split(" ", 2);
      switch (words[0]) {
        case "replied" -> replied(words[1].split(" ", 4));
        case "unknown" -> unknown();
        case "other" -> again(line.line());
        case "taken" -> close();
        case "queued" -> queued(Long.parseLong(words[1]));
        case "resolved" -> {
          current().resolved = true;
          ask(null);
        }
        default -> throw new IllegalStateException("a child said " + line);
      }
    }
  }

  /** Kind, whether it is a replay, whether a probe was asked, text. */
  private void replied(String[] words) {
    Round answered = current();
    answered.answered(words[0] + " " + words[3]);
    answered.replays += words[1].equals("true") ? 1 : 0;
    if (words[2].equals("true")) {
      answered.resolved = true;
    }
    campaign.checkNotSilent(answered);
    if (stopsAfterThis()) {
      return;
    }
    if (answered.pausedIn != null) {
      campaign.wake(answered);
    }
    if (answered.answers < COPIES_ANSWERED) {
      ask(null);
    } else if (campaign.home() == Home.REPLICATED && ChildSettings.hasJournal(lane)) {
      child().tell(lane, "taken " + answered.transfer.request());
    } else {
      close();
    }
  }

  /**
   * Whether the lane stops after the answer that was just heard, whatever it says. Nothing may be
   * asked of it any more: nobody would answer. That it has stopped may be heard before the answer.
   */
  private boolean stopsAfterThis() {
    if (stop != Step.ANSWER_AFTER) {
      return false;
    }
    told = true;
    waiting = !at;
    return true;
  }

  private void close() {
    campaign.closed(current());
    round = null;
    next();
  }

  /** Nobody may run it again now. The first time it is only asked once more, to see that. */
  private void unknown() {
    Round unknown = current();
    campaign.noteUnknown(unknown);
    if (stopsAfterThis()) {
      return;
    }
    if (ChildSettings.hasProbe(lane) || unknown.unknowns % 2 == 1) {
      again("unknown");
    } else {
      child().tell(lane, "queued " + unknown.transfer.request());
      stop = null;
    }
  }

  /** The operator looks into the bank's book. */
  private void queued(long fence) {
    Round unknown = current();
    if (fence == 0) {
      again("not in the queue");
      return;
    }
    Reply outcome = campaign.bank().settle(unknown.transfer.request(), fence);
    child()
        .tell(
            lane,
            "resolve "
                + unknown.transfer.request()
                + " "
                + fence
                + " "
                + (outcome == null ? "GONE -" : outcome.kind() + " " + outcome.bytes().asText()));
  }

  private void again(String why) {
    if (stopsAfterThis()) {
      return;
    }
    Round undecided = current();
    if (++undecided.undecided > MOST_UNDECIDED) {
      campaign.gaveUp(undecided, why);
      close();
      return;
    }
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ask(null);
  }
}
