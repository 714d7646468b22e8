package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.DamagedException;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestCodecTest {
  private static final Request.Address ADDRESS = new Request.Address(5, 0x70000, 0x70001);
  private static final Key KEY = Key.of(Key.Kind.HASH, 1, 2);
  private static final String TAG_AND_SESSION = "0000000000000005" + "0000000000070000";
  private static final String SOME_KEY = "02" + "0000000000000001" + "0000000000000002";

  @Test
  void everyTypeComesBackAsItWas() {
    for (int type = 0; type < RandomRequests.TYPES; type++) {
      RandomRequests requests = new RandomRequests(type);
      for (int i = 0; i < 1_000; i++) {
        Request request = requests.next(type);
        assertThat(RequestCodec.decode(frame(request))).isEqualTo(request);
      }
    }
  }

  @Test
  void generatorDrawsEveryType() {
    RandomRequests requests = new RandomRequests(1);
    assertThat(Request.class.getPermittedSubclasses())
        .allSatisfy(
            type -> {
              boolean drawn = false;
              for (int i = 0; i < RandomRequests.TYPES; i++) {
                drawn |= type.isInstance(requests.next(i));
              }
              assertThat(drawn).as(type.getSimpleName()).isTrue();
            });
  }

  /** The bytes are for ever: they stand in logs that later builds read. */
  @Test
  void layoutsAreAsDocumented() {
    String key = SOME_KEY;
    assertFrame(
        new Request.Open(ClientKind.DURABLE, "bo", 1, 2, 9, 3, true, true, 300),
        "1003"
            + "01"
            + "02626f"
            + "0000000000000001"
            + "0000000000000002"
            + "0000000000000009"
            + "0000000000000003"
            + "ac02");
    assertFrame(
        new Request.InSession(ADDRESS, 300, 2, new Fingerprint(255), Bytes.utf8("hi")),
        "1101" + TAG_AND_SESSION + "01" + "ac02" + "02" + "00000000000000ff" + "6869");
    assertFrame(
        new Request.InSession(ADDRESS, 300, 2, null, Bytes.EMPTY),
        "1100" + TAG_AND_SESSION + "01" + "ac02" + "02");
    assertFrame(new Request.KeepAlive(ADDRESS, 9), "1200" + TAG_AND_SESSION + "0109");
    assertFrame(new Request.Close(ADDRESS), "1300" + TAG_AND_SESSION + "01");
    assertFrame(new Request.AbandonSequence(ADDRESS, 9), "1400" + TAG_AND_SESSION + "0109");
    assertFrame(
        new Request.Keyed(
            new Scope("s"),
            KEY,
            new Fingerprint(255),
            List.of(Key.of(Key.Kind.UUID, -1, 0)),
            Bytes.utf8("hi")),
        "2001"
            + "0173"
            + key
            + "00000000000000ff"
            + "01"
            + "00ffffffffffffffff0000000000000000"
            + "6869");
    assertFrame(
        new Request.Acknowledge(new Scope("s"), List.of(KEY)), "2100" + "0173" + "01" + key);
    assertFrame(new Request.AbandonKey(Scope.NONE, KEY), "2200" + "00" + key);
    assertFrame(new Request.Unkeyed(Bytes.utf8("hi")), "3000" + "6869");
    assertFrame(new Request.Forget(-2), "4000" + "fffffffffffffffe");
    assertFrame(
        new Request.SetParameter(Parameter.DEFAULT_WINDOW, 7), "4100" + "04" + "0000000000000007");
    assertFrame(
        new Request.SetScope(new Scope("s"), 7, true), "4201" + "0173" + "0000000000000007");
    assertFrame(new Request.Alias("a", "b"), "4300" + "0161" + "0162");
    assertFrame(new Request.EnableService("kv"), "4600" + "026b76");
    assertFrame(new Request.ForgetByAge(600_001), "4700" + "00000000000927c1");
    assertFrame(
        new Request.ReformCluster(new ClusterId(1, 2), new ClusterId(3, 4)),
        "4500" + "00000000000000010000000000000002" + "00000000000000030000000000000004");
    assertFrame(
        new Request.FormCluster(new ClusterId(1, 2)),
        "4400" + "0000000000000001" + "0000000000000002");
    assertFrame(
        new Request.ConfirmQuarantines(300, List.of(new LogPlace(9, 2), new LogPlace(9, 3))),
        "4800" + "ac02" + "02" + "0902" + "0903");
    assertFrame(new Request.CompareDigests(), "4900");
    assertFrame(
        new Request.NameDigest(300, Bytes.of(new byte[32])), "4a00" + "ac02" + "00".repeat(32));
    assertFrame(new Request.Tick(), "5000");
  }

  private static void assertFrame(Request request, String hex) {
    assertThat(HexFormat.of().formatHex(RequestCodec.encode(request))).isEqualTo(hex);
    assertThat(RequestCodec.decode(hex(hex))).isEqualTo(request);
  }

  /** What is not a frame is refused; what is one has no second form. */
  @Test
  void changedFramesAreRefusedOrMeanSomethingElse() {
    RandomRequests requests = new RandomRequests(2);
    SplittableRandom random = new SplittableRandom(3);
    int refused = 0;
    int accepted = 0;
    for (int i = 0; i < 50_000; i++) {
      byte[] frame = RequestCodec.encode(requests.next());
      byte[] changed = changed(frame, random);
      try {
        Request request = RequestCodec.decode(Bytes.of(changed));
        assertThat(RequestCodec.encode(request)).isEqualTo(changed);
        accepted++;
      } catch (DamagedException e) {
        assertThat(e.offset()).isBetween(0L, (long) changed.length);
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(5_000);
    assertThat(accepted).isGreaterThan(5_000);
  }

  private static byte[] changed(byte[] frame, SplittableRandom random) {
    int at = random.nextInt(frame.length);
    byte[] changed =
        switch (random.nextInt(4)) {
          case 0 -> Arrays.copyOf(frame, at);
          case 1 -> Arrays.copyOf(frame, frame.length + 1 + random.nextInt(3));
          default -> frame.clone();
        };
    if (at < changed.length) {
      changed[at] ^= (byte) (1 << random.nextInt(8));
    }
    return changed;
  }

  @Test
  void everyTruncationOfFramesWithoutCommandIsRefused() {
    for (int type : new int[] {0, 2, 3, 4, 6, 7, 9, 10, 11, 12, 13, 14, 17, 18, 19}) {
      Bytes frame = frame(new RandomRequests(4).next(type));
      for (int length = 0; length < frame.length(); length++) {
        Bytes cut = frame.slice(0, length);
        assertThatThrownBy(() -> RequestCodec.decode(cut)).isInstanceOf(DamagedException.class);
      }
      Bytes longer = Bytes.of(Arrays.copyOf(frame.toArray(), frame.length() + 1));
      assertThatThrownBy(() -> RequestCodec.decode(longer))
          .isInstanceOf(DamagedException.class)
          .hasMessageEndingWith("1 bytes follow the end");
    }
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource({
    "'',                      0, '1 more bytes are needed, 0 are left'",
    "11,                      1, '1 more bytes are needed, 0 are left'",
    "0000,                    0, 'request type 0 is unknown to this build'",
    "6000,                    0, 'request type 96 is unknown to this build'",
    "1102 A 00 01 01,         1, 'flags 2; defined are the bits of 1'",
    "5001,                    1, 'flags 1; defined are the bits of 0'",
    "1200 A 00 00,           19, 'watermark is 0; allowed are 1 to 9223372036854775807'",
    "1100 A 00 00 01,        19, 'sequence is 0; allowed are 1 to 9223372036854775807'",
    "1100 A 00 01 00,        20, 'watermark is 0; allowed are 1 to 9223372036854775807'",
    "1400 A 00 8080808080808080 80 01, 19, 'sequence is 9223372036854775808; allowed are 1 to 9223372036854775807'",
    "1400 A 00 8080808080808080 80 02, 19, 'a varint has more than 64 bits'",
    "1400 A 00 8080808080808080 80 80 01, 19, 'a varint has more than 64 bits'",
    "1400 A 00 8100,         19, 'a varint is longer than needed'",
    "1400 A 8000 01,         18, 'a varint is longer than needed'",
    "1000 03 00 N 00,         2, 'client kind 3 is unknown; 0 to 2 are allowed'",
    "1000 00 0161 N 00,       3, 'a registered client has no name'",
    "1000 01 00 N 00,         3, 'a client of kind DURABLE must have a name'",
    "1000 01 8101 N 00,       3, 'length of name is 129; allowed are 0 to 128'",
    "1000 01 23 N 00,         3, '35 bytes should follow, 33 are left'",
    "1000 00 00 N 8080808008, 36, 'window is 2147483648; allowed are 0 to 2147483647'",
    "2200 8101 K,             2, 'length of scope is 129; allowed are 0 to 128'",
    "2200 01ff K,             2, 'scope is not UTF-8'",
    "2200 03eda080 K,         2, 'scope is not UTF-8'",
    "2200 02c080 K,           2, 'scope is not UTF-8'",
    "2100 00 8108,            3, 'number of acknowledged keys is 1025; allowed are 0 to 1024'",
    "2000 00 K 01 K,         21, 'the request acknowledges its own key'",
    "4300 8101,               2, 'length of principal is 129; allowed are 0 to 128'",
    "4300 00 8101,            3, 'length of principal is 129; allowed are 0 to 128'"
  })
  void malformedFramesAreRefusedByPlaceAndReason(String bytes, int offset, String reason) {
    String spelled =
        bytes
            .replace("A", TAG_AND_SESSION)
            .replace("N", "00".repeat(32))
            .replace("K", SOME_KEY)
            .replace(" ", "");
    assertThatThrownBy(() -> RequestCodec.decode(hex(spelled)))
        .isInstanceOfSatisfying(
            DamagedException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.offset()).isEqualTo(offset);
              assertThat(e).hasMessageStartingWith("request is damaged");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"04", "ff"})
  void unknownKindOfKeyIsRefused(String kind) {
    assertThatThrownBy(() -> RequestCodec.decode(hex("220000" + kind + SOME_KEY.substring(2))))
        .isInstanceOf(DamagedException.class)
        .hasMessageContaining("at byte 3: no kind of key has the code");
  }

  @Test
  void unknownParameterIsRefused() {
    assertThatThrownBy(() -> RequestCodec.decode(parameter(255)))
        .isInstanceOf(DamagedException.class)
        .hasMessageContaining("at byte 2: parameter 255 is unknown");
  }

  @Test
  void dateThatNoKeyCanHaveIsRefused() {
    assertThatThrownBy(() -> RequestCodec.decode(hex("220000" + "01" + "ff".repeat(16))))
        .isInstanceOf(DamagedException.class)
        .hasMessageContaining("the date of a key must be from 0 to");
  }

  @Test
  void frameOverItsLimitIsRefused() {
    byte[] bytes = new byte[Limits.FRAME_BYTES + 1];
    bytes[0] = RequestType.UNKEYED;
    assertThatThrownBy(() -> RequestCodec.decode(Bytes.of(bytes)))
        .isInstanceOf(DamagedException.class)
        .hasMessageContaining("allowed are 0 to " + Limits.FRAME_BYTES);
    Bytes most = Bytes.of(bytes, 0, Limits.FRAME_BYTES);
    Request.Unkeyed request = (Request.Unkeyed) RequestCodec.decode(most);
    assertThat(request.command().length()).isEqualTo(Limits.FRAME_BYTES - 2);
    assertThat(RequestCodec.encode(request)).hasSize(Limits.FRAME_BYTES);
    assertThatThrownBy(
            () ->
                RequestCodec.encode(new Request.Unkeyed(Bytes.of(bytes, 1, bytes.length - 2 + 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most " + Limits.FRAME_BYTES);
  }

  /** Whatever would be refused as malformed cannot be framed in the first place. */
  @Test
  void encoderRefusesWhatTheDecoderWould() {
    String longName = "x".repeat(129);
    assertRefused(open(ClientKind.DURABLE, longName, 0), "name is longer than 128 bytes");
    assertRefused(open(ClientKind.AUTO, "é".repeat(65), 0), "name is longer than 128 bytes");
    assertRefused(open(ClientKind.AUTO, "x\ud83d", 0), "name has a lone surrogate");
    assertRefused(open(ClientKind.AUTO, "", 0), "a client of kind AUTO must have a name");
    assertRefused(open(ClientKind.REGISTERED, "x", 0), "a registered client has no name");
    assertRefused(open(ClientKind.REGISTERED, "", -1), "window -1");
    assertRefused(new Request.InSession(ADDRESS, 0, 1, null, Bytes.EMPTY), "sequence 0");
    assertRefused(new Request.InSession(ADDRESS, 1, 0, null, Bytes.EMPTY), "watermark 0");
    assertRefused(new Request.KeepAlive(ADDRESS, -1), "watermark -1");
    assertRefused(new Request.AbandonSequence(ADDRESS, Long.MIN_VALUE), "sequence -92233");
    assertRefused(new Request.Alias(longName, "b"), "principal is longer than 128 bytes");
    assertRefused(new Request.Alias("a", longName), "principal is longer than 128 bytes");
    assertRefused(
        new Request.Keyed(Scope.NONE, KEY, null, List.of(KEY), Bytes.EMPTY), "its own key");
    assertRefused(
        new Request.Acknowledge(Scope.NONE, Collections.nCopies(1025, KEY)), "at most 1024");
  }

  @Test
  void everythingAtItsLimitIsAccepted() {
    String longName = "é".repeat(64);
    assertComesBack(open(ClientKind.DURABLE, longName, Integer.MAX_VALUE));
    assertComesBack(new Request.Alias(longName, "x".repeat(128)));
    assertComesBack(new Request.Acknowledge(new Scope(longName), Collections.nCopies(1024, KEY)));
    assertComesBack(
        new Request.InSession(ADDRESS, Long.MAX_VALUE, Long.MAX_VALUE, null, Bytes.EMPTY));
  }

  /** The table answers BAD_WATERMARK; the layout must be able to say it. */
  @Test
  void watermarkAboveTheSequenceIsAFrame() {
    assertComesBack(new Request.InSession(ADDRESS, 1, 1_000, null, Bytes.EMPTY));
  }

  @Test
  void incarnationBeforeTheSessionIsAFrame() {
    assertComesBack(new Request.Close(new Request.Address(1, Long.MAX_VALUE, Long.MIN_VALUE)));
    assertComesBack(new Request.Close(new Request.Address(1, 7, 3)));
  }

  @Test
  void commandIsAViewIntoTheFrame() {
    byte[] frame = RequestCodec.encode(new Request.Unkeyed(Bytes.utf8("abc")));
    Request.Unkeyed request = (Request.Unkeyed) RequestCodec.decode(Bytes.of(frame));
    frame[frame.length - 1] = 'X';
    assertThat(request.command().asText()).isEqualTo("abX");
  }

  @Test
  void repeatedScopeIsDecodedOnce() {
    RequestDecoder decoder = new RequestDecoder();
    Scope first = scopeOf(decoder, "tenant");
    assertThat(scopeOf(decoder, "tenant")).isSameAs(first);
    assertThat(scopeOf(decoder, "tenanT")).isEqualTo(new Scope("tenanT"));
    assertThat(scopeOf(decoder, "")).isEqualTo(Scope.NONE);
    assertThat(scopeOf(decoder, "tenant")).isEqualTo(first);
  }

  @Test
  void refusedFrameLeavesTheDecoderFit() {
    RequestDecoder decoder = new RequestDecoder();
    scopeOf(decoder, "tenant");
    assertThatThrownBy(() -> decoder.decode(hex("220001ff"))).isInstanceOf(DamagedException.class);
    assertThat(scopeOf(decoder, "tenant")).isEqualTo(new Scope("tenant"));
    assertThat(decoder.decode(hex("5000"))).isEqualTo(new Request.Tick());
  }

  @Test
  void laterTypesAndParametersAreToldFromBrokenFrames() {
    assertThat(RequestCodec.knownType(hex("6000"))).isFalse();
    assertThat(RequestCodec.knownType(hex("ff"))).isFalse();
    assertThat(RequestCodec.knownType(hex("4100ff0000000000000000"))).isFalse();
    int parameters = Parameter.values().length;
    assertThat(RequestCodec.knownType(parameter(parameters))).isFalse();
    assertThat(RequestCodec.knownType(parameter(parameters - 1))).isTrue();
    assertThat(RequestCodec.knownType(hex("4100"))).isTrue();
    assertThat(RequestCodec.knownType(hex("5099"))).isTrue();
    assertThat(RequestCodec.knownType(hex("00"))).isTrue();
    assertThat(RequestCodec.knownType(Bytes.EMPTY)).isTrue();
  }

  @Test
  void everyTypeThatIsDecodedIsKnown() {
    RandomRequests requests = new RandomRequests(5);
    for (int type = 0; type < RandomRequests.TYPES; type++) {
      assertThat(RequestCodec.knownType(frame(requests.next(type)))).isTrue();
    }
    for (int code = 1; code < 256; code++) {
      Bytes frame = Bytes.of(new byte[] {(byte) code, 0});
      if (!RequestCodec.knownType(frame)) {
        assertThatThrownBy(() -> RequestCodec.decode(frame))
            .hasMessageEndingWith("is unknown to this build");
      } else {
        assertThatCode(() -> RequestCodec.decode(frame))
            .satisfiesAnyOf(
                thrown -> assertThat(thrown).isNull(),
                thrown -> assertThat(thrown).hasMessageContaining("more bytes are needed"));
      }
    }
  }

  private static Bytes parameter(int code) {
    byte[] frame = new byte[11];
    frame[0] = RequestType.SET_PARAMETER;
    frame[2] = (byte) code;
    return Bytes.of(frame);
  }

  private static Request open(ClientKind kind, String name, int window) {
    return new Request.Open(kind, name, 1, 2, 9, 3, false, false, window);
  }

  private static Scope scopeOf(RequestDecoder decoder, String scope) {
    Request request = decoder.decode(frame(new Request.AbandonKey(new Scope(scope), KEY)));
    return ((Request.AbandonKey) request).scope();
  }

  private static void assertComesBack(Request request) {
    assertThat(RequestCodec.decode(frame(request))).isEqualTo(request);
  }

  private static void assertRefused(Request request, String reason) {
    assertThatThrownBy(() -> RequestCodec.encode(request))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  private static Bytes frame(Request request) {
    return Bytes.of(RequestCodec.encode(request));
  }

  private static Bytes hex(String hex) {
    return Bytes.of(HexFormat.of().parseHex(hex));
  }
}
