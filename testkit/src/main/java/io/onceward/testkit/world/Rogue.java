package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Overhears what others send and sends it again: late, as it was; or under another principal, with
 * another payload, from a stale incarnation, of another cluster, with a false watermark, or as
 * bytes that are no request. What it sends under its own payload carries a wish of its own.
 */
final class Rogue extends Caller {
  private static final int MOST_PER_BEAT = 3;
  private static final int MOST_REMEMBERED = 256;
  private static final int SHADOWED_PER_MILLE = 15;
  private static final int BAD_FLAGS = 0xFF;

  private final List<Ask.Copy> overheard = new ArrayList<>();
  private long tickets = Long.MAX_VALUE / 2;

  Rogue(World world, String principal) {
    super(world, principal);
  }

  void overhear(Ask.Copy copy) {
    if (isAlive() && dice.perMille(SHADOWED_PER_MILLE)) {
      meddle(copy);
    }
    if (overheard.size() < MOST_REMEMBERED) {
      overheard.add(copy);
    } else {
      // Random replacement keeps some very old copies.
      overheard.set(dice.below(MOST_REMEMBERED), copy);
    }
  }

  @Override
  void beat() {
    if (world.finishing() || overheard.isEmpty()) {
      return;
    }
    lookElsewhere();
    for (int i = dice.below(MOST_PER_BEAT + 1); i > 0; i--) {
      meddle(dice.pick(overheard));
    }
  }

  private void meddle(Ask.Copy copy) {
    Ask.Copy changed = dice.perMille(400) ? copy : change(copy);
    if (changed != null) {
      send(
          new Ask.Copy(
              endpoint(), ++tickets, changed.principal(), changed.request(), changed.frame()));
    }
  }

  private Ask.@Nullable Copy change(Ask.Copy copy) {
    if (dice.perMille(120)) {
      return malformed(copy);
    }
    if (dice.perMille(150)) {
      String other = world.principal(dice.below(world.principals()));
      return as(other, forged(copy.request()));
    }
    Request changed = changed(copy.request());
    return changed == null ? null : as(copy.principal(), changed);
  }

  private Ask.Copy as(String principal, Request request) {
    return Ask.Copy.of(endpoint(), 0, principal, request);
  }

  /** Keeps the first byte, so that it is bytes of a known type, and spoils the flags. */
  private Ask.Copy malformed(Ask.Copy copy) {
    byte[] frame = copy.frame().toArray();
    frame[1] = (byte) BAD_FLAGS;
    return new Ask.Copy(endpoint(), 0, copy.principal(), copy.request(), Bytes.of(frame));
  }

  private @Nullable Request changed(Request request) {
    if (request instanceof Request.InSession ask) {
      return inSession(ask);
    }
    if (request instanceof Request.Keyed) {
      return withOwnPayload(request);
    }
    if (request instanceof Request.KeepAlive ask) {
      return dice.perMille(500)
          ? new Request.KeepAlive(otherAddress(ask.address()), ask.watermark())
          : new Request.KeepAlive(ask.address(), ask.watermark() + dice.between(1, 6));
    }
    if (request instanceof Request.Close ask) {
      return new Request.Close(otherAddress(ask.address()));
    }
    if (request instanceof Request.AbandonSequence ask) {
      return new Request.AbandonSequence(
          otherAddress(ask.address()), ask.sequence() + dice.below(3));
    }
    if (request instanceof Request.Open ask) {
      return new Request.Open(
          ask.kind(),
          ask.name(),
          dice.next(),
          ask.nonceLow(),
          dice.perMille(900) ? ask.clusterTag() : dice.next(),
          dice.perMille(700) ? ask.predecessor() : 0,
          ask.fromJournal(),
          ask.ordered(),
          dice.perMille(100) ? 1 << 20 : ask.window());
    }
    return null;
  }

  private Request inSession(Request.InSession ask) {
    Request.InSession own = (Request.InSession) withOwnPayload(ask);
    return switch (dice.below(6)) {
      case 0 -> own;
      case 1 -> at(otherAddress(ask.address()), ask.sequence(), ask.watermark(), own);
      case 2 -> at(ask.address(), ask.sequence(), ask.watermark() + dice.between(1, 6), own);
      case 3 -> at(ask.address(), ask.sequence() + dice.between(1, 90), ask.watermark(), own);
      case 4 -> new Request.Close(otherAddress(ask.address()));
      default ->
          new Request.AbandonSequence(otherAddress(ask.address()), ask.sequence() + dice.below(3));
    };
  }

  private static Request at(
      Request.Address address, long sequence, long watermark, Request.InSession payload) {
    return new Request.InSession(
        address, sequence, watermark, payload.fingerprint(), payload.command());
  }

  /** Another cluster, an earlier or later incarnation, or another session altogether. */
  private Request.Address otherAddress(Request.Address address) {
    long session = address.session();
    return switch (dice.below(5)) {
      case 0 -> new Request.Address(dice.next(), session, address.incarnation());
      case 1 -> new Request.Address(address.clusterTag(), session, session);
      case 2 -> new Request.Address(address.clusterTag(), session, address.incarnation() + 1);
      case 3 -> new Request.Address(address.clusterTag(), session + 1, address.incarnation() + 1);
      default -> address;
    };
  }

  private Request withOwnPayload(Request request) {
    Bytes payload = payload(newWish());
    if (request instanceof Request.InSession ask) {
      return new Request.InSession(
          ask.address(),
          ask.sequence(),
          ask.watermark(),
          ownFingerprint(ask.fingerprint(), payload),
          payload);
    }
    if (request instanceof Request.Keyed ask) {
      return new Request.Keyed(
          ask.scope(),
          ask.key(),
          ownFingerprint(ask.fingerprint(), payload),
          ask.acknowledged(),
          payload);
    }
    return request;
  }

  /** The fingerprint says that it is the same request; the payload is not. */
  private Request forged(Request request) {
    Request own = withOwnPayload(request);
    if (own instanceof Request.Keyed ask && request instanceof Request.Keyed theirs) {
      return new Request.Keyed(
          ask.scope(), ask.key(), theirs.fingerprint(), ask.acknowledged(), ask.command());
    }
    return own;
  }

  private @Nullable Fingerprint ownFingerprint(@Nullable Fingerprint theirs, Bytes payload) {
    boolean carries = theirs == null ? dice.perMille(200) : dice.perMille(900);
    return carries ? World.fingerprintOf(payload) : null;
  }

  @Override
  void decided(Request request, Decision decision, long clusterTag) {}

  @Override
  List<String> undecided() {
    return List.of();
  }
}
