package io.onceward.torture.hostile;

import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Peers that send what is no HTTP/2, no gRPC or no message, or only a part of one. */
final class WireAttacks {
  private static final int SILENT_PEERS = 1_000;
  private static final int HUGE = Integer.MAX_VALUE;

  private WireAttacks() {}

  /** A conversation as it should be, but each byte in a packet of its own. */
  static Strike oneByteAtATime(Siege siege) {
    byte[] script =
        Frames.join(
            Frames.hello(),
            Frames.call(1, siege.path()),
            Frames.data(1, Words.message(1, i -> new Question.Status(false))));
    Map<RawPeer, Integer> places = new HashMap<>();
    return () -> {
      siege.hold(20, new byte[0]);
      for (RawPeer peer : List.copyOf(siege.peers())) {
        int at = places.merge(peer, 1, Integer::sum) - 1;
        if (at == script.length) {
          places.remove(peer);
          siege.part(peer);
        } else if (peer.send(Arrays.copyOfRange(script, at, at + 1))) {
          siege.count(1);
        }
      }
    };
  }

  /** Messages whose every byte is a frame of its own, each of which the victim may have to keep. */
  static Strike oneByteFrames(Siege siege) {
    byte[] greeting =
        Frames.join(
            Frames.hello(),
            Frames.call(1, siege.path()),
            Frames.data(1, Frames.messageHead(16 << 20)));
    byte[] piece = Frames.data(1, new byte[1]);
    return () -> {
      siege.hold(10, greeting);
      for (RawPeer peer : siege.peers()) {
        for (int i = 0; i < 10 && peer.send(piece); i++) {
          siege.count(1);
        }
      }
    };
  }

  /** Frames of which a part never comes. */
  static Strike truncatedFrames(Siege siege) {
    byte[] greeting =
        Frames.join(
            Frames.hello(), Frames.frame(Frames.HEADERS, 4, 1, 16_384, new byte[] {0, 1, 2}));
    return () -> {
      siege.hold(siege.crowd(SILENT_PEERS), greeting);
      siege.count(1);
    };
  }

  /** Connections that end in the middle of a frame, of a message, of the first word. */
  static Strike endsInTheMiddle(Siege siege) {
    List<byte[]> scripts =
        List.of(
            Arrays.copyOf(Frames.PREFACE, 11),
            Frames.join(Frames.hello(), new byte[] {0, 0, 9, 4}),
            Frames.join(
                Frames.hello(), Frames.frame(Frames.HEADERS, 4, 1, 99, new byte[] {(byte) 0x83})),
            Frames.join(
                Frames.hello(),
                Frames.call(1, siege.path()),
                Frames.data(1, Frames.join(Frames.messageHead(1_000), new byte[400]))));
    return oneAfterTheOther(siege, index -> scripts.get(index % scripts.size()), true);
  }

  /** Kinds of frames, methods, questions and requests that nobody knows. */
  static Strike unknownTypes(Siege siege) {
    List<byte[]> scripts =
        List.of(
            "PRI * HTTP/3.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            Frames.join(Frames.hello(), Frames.frame(0xee, 0xff, 1, new byte[100])),
            Frames.join(Frames.hello(), Frames.call(1, "/onceward.v9.Onceward/Converse")),
            Frames.join(Frames.hello(), Frames.call(1, "/onceward.v1.Onceward/Shout")),
            // A question of kind 100, a frame of type 0xff, a frame that is none, a message of a
            // compressed kind.
            said(siege, Frames.message(new byte[] {0x0a, 5, 8, 1, (byte) 0xa2, 6, 0})),
            said(siege, Frames.message(new byte[] {0x0a, 6, 8, 1, 0x12, 2, (byte) 0xff, 1})),
            said(siege, Frames.message(new byte[] {0x0a, 6, 8, 1, 0x12, 2, 0x11, 9})),
            said(siege, new byte[] {1, 0, 0, 0, 3, 1, 2, 3}),
            said(siege, new byte[] {(byte) 0xfe, 0, 0, 0, 3, 1, 2, 3}));
    return oneAfterTheOther(siege, index -> scripts.get(index % scripts.size()), false);
  }

  /** Lengths of which nothing follows: of frames, of messages, of fields, of what is in them. */
  static Strike oversizedLengths(Siege siege) {
    byte[] status = Questions.encode(List.of(new Questions.Asked(1, new Question.Status(false))));
    List<byte[]> scripts =
        List.of(
            Frames.join(Frames.hello(), Frames.frame(0xee, 0, 0, 0xff_ffff, new byte[9])),
            said(siege, Frames.messageHead(HUGE)),
            said(siege, Frames.messageHead(-1)),
            said(siege, Frames.messageHead(33 << 20)),
            said(siege, Frames.message(new byte[] {0x0a, -1, -1, -1, -1, 7, 8, 1})),
            said(siege, Frames.message(new byte[] {0x0a, 8, 8, 1, 0x12, -1, -1, -1, -1, 15})),
            said(siege, Frames.message(Arrays.copyOf(status, status.length - 1))),
            said(siege, Frames.message(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1})));
    return oneAfterTheOther(siege, index -> scripts.get(index % scripts.size()), false);
  }

  static Strike garbage(Siege siege) {
    return oneAfterTheOther(
        siege,
        index -> {
          byte[] noise = new byte[4_096];
          siege.random().nextBytes(noise);
          return switch (index % 3) {
            case 0 -> noise;
            case 1 -> Frames.join(Frames.hello(), noise);
            default -> said(siege, Frames.message(noise));
          };
        },
        false);
  }

  static Strike plainHttp(Siege siege) {
    byte[] get =
        "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);
    byte[] post =
        ("POST /" + "a".repeat(8_000) + " HTTP/1.1\r\nContent-Length: 1000000000\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    return oneAfterTheOther(siege, index -> index % 2 == 0 ? get : post, false);
  }

  private static byte[] said(Siege siege, byte[] message) {
    return Frames.join(Frames.hello(), Frames.call(1, siege.path()), Frames.data(1, message));
  }

  private interface Script {
    byte[] of(int index);
  }

  /** New peers all the time; each says its part, and is left to the victim, or leaves at once. */
  private static Strike oneAfterTheOther(Siege siege, Script script, boolean leaves) {
    int[] index = {0};
    Supplier<byte[]> next = () -> script.of(index[0]++);
    return () -> {
      siege.hold(
          siege.crowd(SILENT_PEERS),
          2,
          peer -> {
            peer.send(next.get());
            siege.count(1);
          });
      if (leaves) {
        for (RawPeer peer : List.copyOf(siege.peers())) {
          siege.part(peer);
        }
      }
    };
  }
}
