package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One spelling for each JSON value, and what it costs. */
class CanonicalJsonTest {
  private static Object nested(int levels, Object inside) {
    Object tree = inside;
    for (int i = 0; i < levels; i++) {
      tree = List.of(tree);
    }
    return tree;
  }

  @Test
  void oneValueHasOneSpelling() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("b", Arrays.asList(2.50, "x\"y", null, true));
    object.put("a", null);
    List<Object> list = List.of("b", List.of(2, 1), "a");
    assertThat(CanonicalJson.OF_REQUESTS.text(object))
        .isEqualTo("{\"b\":[2.5,\"x\\\"y\",null,true,],}");
    assertThat(CanonicalJson.OF_VALUES.text(object))
        .isEqualTo("{\"a\":null,\"b\":[\"x\\\"y\",2.5,null,true,],}");
    assertThat(CanonicalJson.OF_REQUESTS.text(list)).isEqualTo("[\"b\",[2,1,],\"a\",]");
    assertThat(CanonicalJson.OF_VALUES.text(list)).isEqualTo("[\"a\",\"b\",[1,2,],]");
  }

  /** A sender chooses how deep arrays are nested, so a level must not copy what is in it. */
  @Test
  void textInManyArraysIsNotCopiedForEach() {
    Object tree = nested(500, "x".repeat(1 << 16));
    CanonicalJson.OF_REQUESTS.text(nested(500, "warm"));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    String text = CanonicalJson.OF_REQUESTS.text(tree);
    long taken = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(taken).isLessThan(20L * text.length());
  }

  @Test
  void whatIsNestedTooDeeplyIsRefused() {
    assertThat(CanonicalJson.OF_REQUESTS.text(nested(1_000, "x"))).hasSize(1_000 * 3 + 3);
    assertThatIllegalStateException()
        .isThrownBy(() -> CanonicalJson.OF_REQUESTS.text(nested(1_001, "x")))
        .withMessageContaining("1000 levels");
    assertThatIllegalStateException()
        .isThrownBy(() -> CanonicalJson.OF_REQUESTS.text(nested(100_000, "x")));
  }
}
