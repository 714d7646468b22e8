package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTest {
  @TempDir Path folder;

  @Test
  void interruptedThreadSyncsAllTheSame() throws Exception {
    Thread.currentThread().interrupt();
    Disk.sync(folder);
    assertThat(Thread.interrupted()).isTrue();
    Disk.sync(folder);
    assertThat(Thread.interrupted()).isFalse();
  }
}
