package io.onceward.testkit.audit;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.KeySubmitted;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Sends;
import io.onceward.testkit.audit.ClientEvents.Started;
import io.onceward.testkit.audit.ClientEvents.Submitted;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A retry is the same request under the same id (C1): the library sends nothing under an id that it
 * has not given to a request, and every copy of one asks the same. When a session is over, nothing
 * of it is sent any more (S8).
 */
public final class EveryCopyAsksTheSame extends Invariant {
  private record Asked(@Nullable Fingerprint fingerprint, Bytes command) {}

  private record Place(long clusterTag, long session, long incarnation, long sequence) {}

  private record KeyPlace(Scope scope, Key key) {}

  /** What is known of one client, or of one process that shares its name with none. */
  private static final class Word {
    final Map<Object, Asked> asked = new HashMap<>();
    final Set<Long> givenSequences = new HashSet<>();
    final Set<KeyPlace> givenKeys = new HashSet<>();
    final Set<Request.Address> over = new HashSet<>();
    boolean auto;
  }

  private final Map<String, Word> words = new HashMap<>();

  private Word word(String client) {
    return words.computeIfAbsent(client, any -> new Word());
  }

  @Override
  protected void started(Started started) {
    word(started.client()).auto = started.kind() == ClientKind.AUTO;
  }

  @Override
  protected void submitted(Submitted submitted) {
    word(submitted.client()).givenSequences.add(submitted.sequence());
  }

  @Override
  protected void recovered(Recovered recovered) {
    Set<Long> given = word(recovered.client()).givenSequences;
    given.clear();
    recovered.entries().forEach(entry -> given.add(entry.sequence()));
  }

  @Override
  protected void keySubmitted(KeySubmitted submitted) {
    word(submitted.client()).givenKeys.add(new KeyPlace(submitted.scope(), submitted.key()));
  }

  /**
   * When it is over for good, sequences that were never decided may be given away again. A process
   * that just left is no end: if what it learned was not synced, the next one opens with the same
   * nonce and speaks for the same incarnation (S1).
   */
  @Override
  protected void over(Over over) {
    Word word = word(over.client());
    if (ClientTellsTheTruth.isGone(over)) {
      word.asked.clear();
      if (over.address() != null) {
        word.over.add(over.address());
      }
    }
  }

  @Override
  protected void sends(Sends sends) {
    Word word = word(sends.client());
    if (sends.request() instanceof Request.InSession ask) {
      isNotOver(word, ask.address(), sends);
      isGiven(word.givenSequences.contains(ask.sequence()), sends);
      Request.Address address = ask.address();
      long life = word.auto ? address.incarnation() : 0;
      isSame(
          word,
          new Place(address.clusterTag(), address.session(), life, ask.sequence()),
          new Asked(ask.fingerprint(), ask.command()),
          sends);
    } else if (sends.request() instanceof Request.Keyed ask) {
      KeyPlace place = new KeyPlace(ask.scope(), ask.key());
      isGiven(word.givenKeys.contains(place), sends);
      isSame(word, place, new Asked(ask.fingerprint(), ask.command()), sends);
    } else if (sends.request() instanceof Request.KeepAlive ask) {
      isNotOver(word, ask.address(), sends);
    } else if (sends.request() instanceof Request.AbandonSequence ask) {
      isNotOver(word, ask.address(), sends);
    }
  }

  private void isGiven(boolean given, Sends sends) {
    check(given, "an id that was given to no request", sends);
  }

  private void isSame(Word word, Object place, Asked now, Sends sends) {
    Asked before = word.asked.putIfAbsent(place, now);
    check(before == null || before.equals(now), "a copy that asks something else", sends);
  }

  private void isNotOver(Word word, Request.Address address, Sends sends) {
    check(!word.over.contains(address), "sent after the end", sends);
  }
}
