package io.onceward.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Frozen;
import io.onceward.Service;
import io.onceward.services.KeyValueReply.Entry;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyValueServiceTest extends ServiceContract {
  private final Host kv = new Host(fresh());

  @Override
  Service fresh() {
    return new KeyValueService();
  }

  @Override
  Bytes draw(SplittableRandom random) {
    Bytes key = Bytes.utf8("k" + random.nextInt(500));
    Bytes value = Bytes.of(new byte[random.nextInt(40)]);
    return KeyValueCommand.encode(
        switch (random.nextInt(6)) {
          case 0 -> new KeyValueCommand.Delete(key);
          case 1 -> new KeyValueCommand.CompareAndSet(key, random.nextInt(1_000), value);
          case 2 -> new KeyValueCommand.Get(key);
          case 3 -> new KeyValueCommand.Page(key, key, 1 + random.nextInt(10));
          default -> new KeyValueCommand.Put(key, value);
        });
  }

  @Test
  void putIsFoundWithItsVersion() {
    assertThat(put("a", "1")).isEqualTo(1);
    assertThat(put("b", "2")).isEqualTo(2);
    assertThat(put("a", "3")).isEqualTo(3);
    assertThat(get("a")).isEqualTo(new KeyValueReply.Found(Bytes.utf8("3"), 3));
    assertThat(get("b")).isEqualTo(new KeyValueReply.Found(Bytes.utf8("2"), 2));
    assertThat(get("c")).isEqualTo(new KeyValueReply.Absent());
  }

  @Test
  void emptyValueIsThere() {
    put("a", "");
    assertThat(get("a")).isEqualTo(new KeyValueReply.Found(Bytes.EMPTY, 1));
  }

  @Test
  void deleteTellsWhetherThereWasSomething() {
    put("a", "1");
    assertThat(done(new KeyValueCommand.Delete(Bytes.utf8("a"))))
        .isEqualTo(new KeyValueReply.Deleted(true));
    assertThat(get("a")).isEqualTo(new KeyValueReply.Absent());
    assertThat(done(new KeyValueCommand.Delete(Bytes.utf8("a"))))
        .isEqualTo(new KeyValueReply.Deleted(false));
  }

  @Test
  void compareAndSetNeedsTheExpectedVersion() {
    assertThat(refused(compareAndSet("a", 5, "x"))).isEqualTo("version is 0, expected 5");
    assertThat(done(compareAndSet("a", 0, "x"))).isEqualTo(new KeyValueReply.Stored(1));
    assertThat(refused(compareAndSet("a", 0, "y"))).isEqualTo("version is 1, expected 0");
    assertThat(get("a")).isEqualTo(new KeyValueReply.Found(Bytes.utf8("x"), 1));
    assertThat(done(compareAndSet("a", 1, "y"))).isEqualTo(new KeyValueReply.Stored(2));
  }

  @Test
  void versionOfADeletedKeyNeverReturns() {
    long version = put("a", "1");
    done(new KeyValueCommand.Delete(Bytes.utf8("a")));
    assertThat(put("a", "1")).isGreaterThan(version);
    assertThat(refused(compareAndSet("a", version, "x"))).isEqualTo("version is 2, expected 1");
  }

  @Test
  void pagesGoThroughAPrefixInOrder() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      put("p/" + (char) ('a' + i), "" + i);
      keys.add("p/" + (char) ('a' + i));
    }
    put("p", "before");
    put("p0", "behind");
    put("o/x", "before");
    List<String> heard = new ArrayList<>();
    String after = "";
    KeyValueReply.Entries page;
    do {
      page = page("p/", after, 10);
      page.entries().forEach(entry -> heard.add(entry.key().asText()));
      after = heard.get(heard.size() - 1);
    } while (page.more());
    assertThat(heard).isEqualTo(keys);
    assertThat(page.entries()).hasSize(5);
  }

  @Test
  void pageThatEndsWithTheLastEntryHasNoMore() {
    put("a1", "x");
    put("a2", "y");
    assertThat(page("a", "", 2))
        .isEqualTo(
            new KeyValueReply.Entries(
                List.of(
                    new Entry(Bytes.utf8("a1"), Bytes.utf8("x"), 1),
                    new Entry(Bytes.utf8("a2"), Bytes.utf8("y"), 2)),
                false));
    assertThat(page("a", "", 1).more()).isTrue();
    assertThat(page("a", "a2", 1).entries()).isEmpty();
    assertThat(page("b", "", 1).entries()).isEmpty();
    assertThat(page("", "a1", 9).entries()).hasSize(1);
    assertThat(page("a", "b", 9).entries()).isEmpty();
    assertThat(page("a", "A", 9).entries()).hasSize(2);
  }

  /** Keys are bytes, and 0xff comes after everything. */
  @Test
  void keysAreOrderedAsBytesWithoutASign() {
    for (int i = 255; i >= 0; i--) {
      done(new KeyValueCommand.Put(Bytes.of(new byte[] {(byte) i}), Bytes.EMPTY));
    }
    List<Entry> entries = page("", "", 1_000).entries();
    for (int i = 0; i < 256; i++) {
      assertThat(entries.get(i).key().at(0)).isEqualTo((byte) i);
    }
  }

  @Test
  void pageOfLargeValuesIsCutByBytes() {
    String large = "x".repeat(400_000);
    for (int i = 0; i < 5; i++) {
      put("k" + i, large);
    }
    KeyValueReply.Entries page = page("", "", 1_000);
    assertThat(page.entries()).hasSize(3);
    assertThat(page.more()).isTrue();
    assertThat(page("", "k2", 1_000).entries()).hasSize(2);
  }

  @Test
  void whatChangesSomethingIsNoQuery() {
    Bytes put = KeyValueCommand.encode(new KeyValueCommand.Put(Bytes.utf8("a"), Bytes.EMPTY));
    assertThat(Host.error(kv.query(put)))
        .isEqualTo("this changes values: send it as a command, not as a query");
    assertThat(get("a")).isEqualTo(new KeyValueReply.Absent());
  }

  @Test
  void readsMayBeCommandsToo() {
    put("a", "1");
    assertThat(done(new KeyValueCommand.Get(Bytes.utf8("a"))))
        .isEqualTo(new KeyValueReply.Found(Bytes.utf8("1"), 1));
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, '1 more byte is needed, 0 are left'",
    "00, 0, command 0 is unknown; 1 to 5 are allowed",
    "06, 0, command 6 is unknown; 1 to 5 are allowed",
    "0100, 1, length of key is 0; allowed are 1 to 1024",
    "018108, 1, length of key is 1025; allowed are 1 to 1024",
    "010261, 1, '2 bytes should follow, 1 are left'",
    "02016100, 3, 1 bytes follow the end",
    "028100, 1, a varint is longer than needed",
    "02ffffffffffffffffff02, 1, a varint has more than 64 bits",
    "04016180, 4, '1 more byte is needed, 0 are left'",
    "040161ffffffffffffffffff01, 3, expected version is 18446744073709551615; allowed are 0 to 9223372036854775807",
    "05000000, 3, limit is 0; allowed are 1 to 1000",
    "050000e907, 3, limit is 1001; allowed are 1 to 1000"
  })
  void malformedCommandsAreRefusedByPlaceAndReason(String hex, int offset, String reason) {
    assertThat(kv.refused(Bytes.of(HexFormat.of().parseHex(hex))))
        .isEqualTo("malformed command, byte " + offset + ": " + reason);
  }

  @Test
  void clientCannotEvenSayWhatIsOverALimit() {
    Bytes large = Bytes.of(new byte[ServiceLimits.KEY_BYTES + 1]);
    assertThatThrownBy(() -> new KeyValueCommand.Put(large, Bytes.EMPTY))
        .hasMessage("key has 1025 bytes; allowed are 1 to 1024");
    assertThatThrownBy(() -> new KeyValueCommand.Get(Bytes.EMPTY))
        .hasMessage("key has 0 bytes; allowed are 1 to 1024");
    assertThatThrownBy(() -> new KeyValueCommand.Page(large, Bytes.EMPTY, 1))
        .hasMessage("prefix has 1025 bytes; allowed are 0 to 1024");
    assertThatThrownBy(() -> new KeyValueCommand.Page(Bytes.EMPTY, Bytes.EMPTY, 1_001))
        .hasMessage("limit is 1001; allowed are 1 to 1000");
    assertThatThrownBy(() -> new KeyValueCommand.CompareAndSet(large, 0, large))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new KeyValueCommand.CompareAndSet(Bytes.utf8("a"), -1, large))
        .hasMessage("expected version is -1; allowed are 0 to 9223372036854775807");
    assertThat(new KeyValueCommand.Put(large.slice(0, 1_024), Bytes.EMPTY).key().length())
        .isEqualTo(1_024);
  }

  /** The bytes stand in logs and are written by clients in other languages. */
  @Test
  void layoutsAreAsDocumented() {
    assertThat(hex(new KeyValueCommand.Put(Bytes.utf8("k"), Bytes.utf8("vw"))))
        .isEqualTo("01" + "016b" + "7677");
    assertThat(hex(new KeyValueCommand.Get(Bytes.utf8("k")))).isEqualTo("02" + "016b");
    assertThat(hex(new KeyValueCommand.Delete(Bytes.utf8("k")))).isEqualTo("03" + "016b");
    assertThat(hex(new KeyValueCommand.CompareAndSet(Bytes.utf8("k"), 300, Bytes.utf8("v"))))
        .isEqualTo("04" + "016b" + "ac02" + "76");
    assertThat(hex(new KeyValueCommand.Page(Bytes.utf8("k"), Bytes.utf8("l"), 300)))
        .isEqualTo("05" + "016b" + "016c" + "ac02");
    assertReply(new KeyValueReply.Stored(300), "01" + "ac02");
    assertReply(new KeyValueReply.Found(Bytes.utf8("v"), 300), "02" + "ac02" + "76");
    assertReply(new KeyValueReply.Absent(), "03");
    assertReply(new KeyValueReply.Deleted(true), "0401");
    assertReply(
        new KeyValueReply.Entries(List.of(new Entry(Bytes.utf8("k"), Bytes.utf8("v"), 300)), true),
        "05" + "01" + "01" + "016b" + "ac02" + "0176");
  }

  /** The state is as large as in the promise; a generous bound, for what takes no time at all. */
  @Test
  void millionKeysFreezeAtOnce() {
    for (int i = 0; i < 1_000_000; i++) {
      put("key-" + i, "value");
    }
    long began = System.nanoTime();
    Frozen frozen = kv.service.freeze();
    assertThat(System.nanoTime() - began).isLessThan(10_000_000);
    put("key-0", "changed");
    Host restored = new Host(fresh());
    restored.restore(Host.write(frozen));
    assertThat(
            KeyValueReply.decode(
                restored.told(
                    KeyValueCommand.encode(new KeyValueCommand.Get(Bytes.utf8("key-0"))))))
        .isEqualTo(new KeyValueReply.Found(Bytes.utf8("value"), 1));
  }

  private static void assertReply(KeyValueReply reply, String hex) {
    Bytes encoded = KeyValueReply.encode(reply);
    assertThat(HexFormat.of().formatHex(encoded.toArray())).isEqualTo(hex);
    assertThat(KeyValueReply.decode(encoded)).isEqualTo(reply);
  }

  private static String hex(KeyValueCommand command) {
    Bytes encoded = KeyValueCommand.encode(command);
    assertThat(KeyValueCommand.decode(encoded)).isEqualTo(command);
    return HexFormat.of().formatHex(encoded.toArray());
  }

  private static KeyValueCommand compareAndSet(String key, long expected, String value) {
    return new KeyValueCommand.CompareAndSet(Bytes.utf8(key), expected, Bytes.utf8(value));
  }

  private long put(String key, String value) {
    KeyValueReply reply = done(new KeyValueCommand.Put(Bytes.utf8(key), Bytes.utf8(value)));
    return ((KeyValueReply.Stored) reply).version();
  }

  private KeyValueReply get(String key) {
    return told(new KeyValueCommand.Get(Bytes.utf8(key)));
  }

  private KeyValueReply.Entries page(String prefix, String after, int limit) {
    return (KeyValueReply.Entries)
        told(new KeyValueCommand.Page(Bytes.utf8(prefix), Bytes.utf8(after), limit));
  }

  private KeyValueReply done(KeyValueCommand command) {
    return KeyValueReply.decode(kv.done(KeyValueCommand.encode(command)));
  }

  private KeyValueReply told(KeyValueCommand command) {
    return KeyValueReply.decode(kv.told(KeyValueCommand.encode(command)));
  }

  private String refused(KeyValueCommand command) {
    return kv.refused(KeyValueCommand.encode(command));
  }
}
