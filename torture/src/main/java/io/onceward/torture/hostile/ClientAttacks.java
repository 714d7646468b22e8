package io.onceward.torture.hostile;

import io.onceward.Decision;
import io.onceward.replica.Request;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Peers that speak the protocol correctly and want too much, or take nothing. */
final class ClientAttacks {
  private static final int IDLE_PEERS = 10_000;
  private static final int READERS = 1_000;
  private static final int ANSWER_BYTES = 64 << 10;
  private static final int LITTLE_BYTES = 31 << 10;
  private static final int FRAMES_PER_STRIKE = 20;
  private static final int ROUNDS_PER_FLOOD = 32;
  private static final int FRAMES_PER_ROUND = 64;
  private static final int PEERS = 4;
  private static final int STOWAWAY_BYTES = 1 << 20;
  private static final int SHORT_STOWAWAY_BYTES = 4_000;

  private ClientAttacks() {}

  /** A crowd that connects and says nothing, only hello, or only begins a call. */
  static Strike idle(Siege siege) {
    byte[] hello = Frames.hello();
    byte[] call = Frames.join(Frames.hello(), Frames.call(1, siege.path()));
    int[] index = {0};
    return () ->
        siege.hold(
            siege.crowd(IDLE_PEERS),
            100,
            peer -> {
              int kind = index[0]++ % 3;
              if (kind > 0) {
                peer.send(kind == 1 ? hello : call);
              }
              siege.count(1);
            });
  }

  /** Readers that never read: they let nothing be sent to them, and ask on. */
  static Strike neverRead(Siege siege) {
    byte[] greeting = Frames.join(Frames.helloWithoutWindow(), Frames.call(1, siege.path()));
    byte[] question = Frames.data(1, Words.message(2, i -> Words.page()));
    Sender preparation = preparation(siege, ANSWER_BYTES);
    return () -> {
      if (!preparation.isDone()) {
        preparation.go(FRAMES_PER_STRIKE);
        return;
      }
      siege.hold(siege.crowd(READERS), 20, peer -> peer.send(greeting));
      for (RawPeer peer : siege.turn(10)) {
        if (peer.send(question)) {
          siege.count(2);
        }
      }
    };
  }

  /** A crowd that never reads either and asks for little each, some of it in many pieces. */
  static Strike hardlyAsk(Siege siege) {
    byte[] greeting = Frames.join(Frames.helloWithoutWindow(), Frames.call(1, siege.path()));
    byte[] once = Frames.join(greeting, Frames.data(1, Words.message(1, i -> Words.page())));
    byte[] tiny = Frames.data(1, Words.message(1, i -> Words.count()));
    byte[] inPieces =
        Frames.join(greeting, Frames.join(Collections.nCopies(50, tiny).toArray(byte[][]::new)));
    Sender preparation = preparation(siege, LITTLE_BYTES);
    int[] index = {0};
    return () -> {
      if (!preparation.isDone()) {
        preparation.go(FRAMES_PER_STRIKE);
        return;
      }
      siege.hold(
          siege.crowd(IDLE_PEERS),
          100,
          peer -> {
            peer.send(index[0]++ % 2 == 0 ? once : inPieces);
            siege.count(1);
          });
    };
  }

  /** Very many questions in one small message, each with a long answer. */
  static Strike manyQuestions(Siege siege) {
    byte[] greeting = Frames.join(Frames.hello(), Frames.call(1, siege.path()));
    byte[] message = Words.message(20_000, i -> Words.page());
    Sender preparation = preparation(siege, ANSWER_BYTES);
    Map<RawPeer, Sender> senders = new HashMap<>();
    int[] strikes = {0};
    return () -> {
      if (!preparation.isDone()) {
        preparation.go(FRAMES_PER_STRIKE);
        return;
      }
      siege.hold(PEERS, greeting);
      boolean again = strikes[0]++ % (Siege.STRIKES_PER_SECOND / 2) == 0;
      for (RawPeer peer : siege.peers()) {
        Sender sender = senders.computeIfAbsent(peer, p -> new Sender(p, () -> message));
        if (again || sender.isUnderWay()) {
          siege.count(sender.go(FRAMES_PER_STRIKE) * 20_000);
        }
      }
    };
  }

  /** Stores what the questions are about. */
  private static Sender preparation(Siege siege, int bytes) {
    siege.hold(1, Frames.join(Frames.hello(), Frames.call(1, siege.path())));
    return new Sender(
        siege.peers().get(0), () -> Words.message(1, i -> Words.put(siege.random(), bytes)));
  }

  /** Opens sessions without end. */
  static Strike sessions(Siege siege) {
    return conversation(siege, 1, 50, () -> Words.message(50, i -> Words.open(siege.random(), 0)));
  }

  /** Asks under new keys for ever, and in a session with the widest window, and takes no reply. */
  static Strike neverAcknowledge(Siege siege) {
    Request.Address[] address = {null};
    long[] sequence = {0};
    Strike asking =
        conversation(
            siege,
            1,
            50,
            () ->
                address[0] == null
                    ? Words.message(1, i -> Words.open(siege.random(), 1 << 16))
                    : Words.message(
                        50,
                        i ->
                            i % 2 == 0
                                ? Words.keyed(siege.random())
                                : Words.inSession(address[0], ++sequence[0])));
    return () -> {
      asking.now();
      for (RawPeer peer : siege.peers()) {
        for (byte[] message : peer.answers()) {
          Answers.decode(
              message,
              (ticket, answer) -> {
                if (answer instanceof Answer.Decided decided
                    && decided.decision() instanceof Decision.Opened opened) {
                  address[0] =
                      new Request.Address(
                          decided.clusterTag(), opened.session(), opened.incarnation());
                }
              });
        }
      }
    };
  }

  /** The largest commands that are allowed, one behind the other. */
  static Strike largestCommands(Siege siege) {
    int length = Words.LARGEST_COMMAND - 100;
    return conversation(
        siege, 2, 1, () -> Words.message(1, i -> Words.put(siege.random(), length)));
  }

  /** Messages of which a few bytes are to be kept for a while, and a page or more with them. */
  static Strike stowaways(Siege siege) {
    int[] messages = {0};
    return conversation(
        siege,
        4,
        1,
        () ->
            Words.stowaway(
                siege.random(), messages[0]++ % 100 == 0 ? STOWAWAY_BYTES : SHORT_STOWAWAY_BYTES));
  }

  /** Long messages that are never finished. */
  static Strike unfinished(Siege siege) {
    byte[] message = Frames.join(Frames.messageHead(20 << 20), new byte[19 << 20]);
    byte[] greeting = Frames.join(Frames.hello(), Frames.call(1, siege.path()));
    Map<RawPeer, int[]> places = new HashMap<>();
    return () -> {
      siege.hold(siege.crowd(100), greeting);
      for (RawPeer peer : siege.turn(FRAMES_PER_STRIKE)) {
        int[] place = places.computeIfAbsent(peer, p -> new int[1]);
        int sent = peer.sendData(message, place[0]);
        place[0] += sent;
        siege.count(sent > 0 ? 1 : 0);
      }
    };
  }

  /** Peers that send message after message, as fast as they may but within the bound. */
  static Strike conversation(Siege siege, int peers, int units, Supplier<byte[]> messages) {
    Map<RawPeer, Sender> senders = new HashMap<>();
    byte[] greeting = Frames.join(Frames.hello(), Frames.call(1, siege.path()));
    return () -> {
      siege.hold(
          peers,
          2,
          peer -> {
            peer.keepAnswers();
            peer.send(greeting);
          });
      senders.keySet().retainAll(siege.peers());
      for (RawPeer peer : siege.peers()) {
        Sender sender = senders.computeIfAbsent(peer, p -> new Sender(p, messages));
        siege.count(sender.go(FRAMES_PER_STRIKE / peers) * units);
      }
    };
  }

  /**
   * Peers that send message after message, as fast as the victim lets them: what bounds them is its
   * windows, and that this process runs only while nobody else wants a core.
   */
  static Strike flood(Siege siege, int peers, int units, Supplier<byte[]> messages) {
    return flood(siege, peers, messages, (whole, from, to) -> whole * units);
  }

  /** The same with messages so long that the harm is counted in MiB. */
  static Strike bulk(Siege siege, int peers, Supplier<byte[]> messages) {
    return flood(siege, peers, messages, (whole, from, to) -> (int) ((to >> 20) - (from >> 20)));
  }

  /** How much harm was done by so many whole messages, and these bytes of one peer. */
  private interface Harm {
    int done(int whole, long fromByte, long toByte);
  }

  private static Strike flood(Siege siege, int peers, Supplier<byte[]> messages, Harm harm) {
    Map<RawPeer, Sender> senders = new HashMap<>();
    byte[] greeting = Frames.join(Frames.hello(), Frames.call(1, siege.path()));
    return () -> {
      siege.hold(peers, greeting);
      senders.keySet().retainAll(siege.peers());
      boolean more = true;
      for (int round = 0; more && round < ROUNDS_PER_FLOOD; round++) {
        more = false;
        for (RawPeer peer : siege.peers()) {
          Sender sender = senders.computeIfAbsent(peer, p -> new Sender(p, messages));
          long before = peer.sent();
          int whole = sender.go(FRAMES_PER_ROUND);
          siege.count(harm.done(whole, before, peer.sent()));
          more |= peer.sent() > before;
        }
      }
    };
  }

  /** Sends messages in frames, and minds the windows: whoever does not is hung up on at once. */
  private static final class Sender {
    private final RawPeer peer;
    private final Supplier<byte[]> messages;
    private byte[] message = new byte[0];
    private int place;
    private boolean done;

    Sender(RawPeer peer, Supplier<byte[]> messages) {
      this.peer = peer;
      this.messages = messages;
    }

    boolean isUnderWay() {
      return place < message.length;
    }

    boolean isDone() {
      return done;
    }

    /** Sends at most so many frames and at most one message; gives how many were finished. */
    int go(int frames) {
      peer.listen();
      if (!isUnderWay()) {
        message = messages.get();
        place = 0;
      }
      for (int i = 0; i < frames; i++) {
        int sent = peer.sendData(message, place);
        place += sent;
        if (!isUnderWay()) {
          done = true;
          return 1;
        }
        if (sent == 0) {
          break;
        }
      }
      return 0;
    }
  }
}
