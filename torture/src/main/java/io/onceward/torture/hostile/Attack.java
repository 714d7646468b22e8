package io.onceward.torture.hostile;

import io.onceward.wire.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What hostile peers do. Each is a bounded amount of harm per strike; see {@link Siege}. */
enum Attack {
  ONE_BYTE("a byte per packet", true, WireAttacks::oneByteAtATime),
  ONE_BYTE_FRAMES("a byte per frame, of 16 MiB messages", true, WireAttacks::oneByteFrames),
  TRUNCATED("frames of which a part never comes", true, WireAttacks::truncatedFrames),
  MID_FRAME("connections that end in the middle", true, WireAttacks::endsInTheMiddle),
  UNKNOWN("unknown frames, methods, questions, versions", true, WireAttacks::unknownTypes),
  OVERSIZED("lengths of which nothing follows", true, WireAttacks::oversizedLengths),
  GARBAGE("random bytes", true, WireAttacks::garbage),
  HTTP1("plain HTTP/1.1", true, WireAttacks::plainHttp),
  RAPID_RESET("streams opened and reset at once", true, FloodAttacks::rapidReset),
  SETTINGS("settings without end", true, FloodAttacks::settings),
  PINGS("pings without end", true, FloodAttacks::pings),
  CONTINUATIONS("headers without end", true, FloodAttacks::continuations),
  EMPTY_CONTINUATIONS("empty pieces of headers", true, FloodAttacks::emptyContinuations),
  EMPTY_DATA("empty data frames", true, FloodAttacks::emptyData),
  WINDOW_UPDATES("windows by nothing, one, too much", true, FloodAttacks::windowUpdates),
  HUGE_HEADERS("calls with 12 KiB of headers", true, FloodAttacks::hugeHeaders),
  UNFINISHED("20 MiB messages that never end", true, ClientAttacks::unfinished),
  IDLE("10,000 idle connections", true, ClientAttacks::idle),
  NEVER_READ("1,000 readers that never read", false, ClientAttacks::neverRead),
  HARDLY_ASK("10,000 that never read and ask for little", false, ClientAttacks::hardlyAsk),
  MANY_QUESTIONS("20,000 long answers asked at once", false, ClientAttacks::manyQuestions),
  STOWAWAYS("small requests in long messages", false, ClientAttacks::stowaways),
  SESSIONS("sessions without end", false, ClientAttacks::sessions),
  NEVER_ACKNOWLEDGE("replies never acknowledged", false, ClientAttacks::neverAcknowledge),
  LARGEST_COMMANDS("1 MiB commands without pause", false, ClientAttacks::largestCommands),
  ACKNOWLEDGEMENTS("copies with 1,024 keys taken", false, RequestAttacks::acknowledgementCopies),
  PARKED("keep-alives of sessions that never were", false, RequestAttacks::parkedKeepAlives),
  DIGESTS("digests without end", false, RequestAttacks::digests),
  LONGEST_QUERIES("15 MiB queries without pause", false, RequestAttacks::longestQueries),
  COLLIDING_IDS("ids chosen to collide", false, RequestAttacks::collidingIds),
  STATUSES("100,000 statuses asked in a message", false, RequestAttacks::statuses),
  SESSION_LISTS("pages of 100,000 sessions", false, RequestAttacks::sessionLists);

  private static final String PEERS = "@peers";

  private static final int FREE_MEBIBYTES = 64;
  private static final int MOST_PERCENT = 25;

  private final String words;
  private final boolean alsoAtPeers;

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a method
  private final Function<Siege, Strike> strikes;

  Attack(String words, boolean alsoAtPeers, Function<Siege, Strike> strikes) {
    this.words = words;
    this.alsoAtPeers = alsoAtPeers;
    this.strikes = strikes;
  }

  String words() {
    return words;
  }

  /**
   * What is wrong if an attack that sent so many bytes made the node write so many; empty if
   * nothing is. Copies are to leave nothing in the log, however many come.
   */
  String excess(long sentBytes, long writtenBytes) {
    boolean tooMuch =
        this == ACKNOWLEDGEMENTS
            && writtenBytes >> 20 > FREE_MEBIBYTES
            && writtenBytes * 100 > sentBytes * MOST_PERCENT;
    return tooMuch
        ? "copies of "
            + (sentBytes >> 20)
            + " MiB made the node write "
            + (writtenBytes >> 20)
            + " MiB"
        : "";
  }

  Strike against(Siege siege) {
    return strikes.apply(siege);
  }

  /** An attack and the port that it aims at. */
  record Aimed(Attack attack, boolean atPeers) {
    /** What clients call, and what members call. */
    private static final String CLIENT_PATH = "/" + Wire.SERVICE + "/" + Wire.METHOD;

    private static final String PEER_PATH = "/ratis.grpc.RaftServerProtocolService/appendEntries";

    String name() {
      String name = attack.name().toLowerCase(Locale.ROOT).replace('_', '-');
      return atPeers ? name + PEERS : name;
    }

    String words() {
      return attack.words + (atPeers ? ", at the port for peers" : "");
    }

    Siege siege(int clientPort, int peerPort, int scale) {
      return new Siege(atPeers ? peerPort : clientPort, atPeers ? PEER_PATH : CLIENT_PATH, scale);
    }
  }

  /** All of them, those at the port for clients first. */
  static List<Aimed> all() {
    List<Aimed> all = new ArrayList<>();
    Arrays.stream(values()).forEach(attack -> all.add(new Aimed(attack, false)));
    Arrays.stream(values())
        .filter(attack -> attack.alsoAtPeers)
        .forEach(attack -> all.add(new Aimed(attack, true)));
    return all;
  }

  static Optional<Aimed> named(String name) {
    return all().stream().filter(aimed -> aimed.name().equals(name)).findFirst();
  }
}
