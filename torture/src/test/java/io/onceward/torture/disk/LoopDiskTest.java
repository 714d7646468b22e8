package io.onceward.torture.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LoopDiskTest {
  @TempDir private Path folder;
  private LoopDisk disk;

  @BeforeEach
  void mount() throws IOException {
    if (!LoopDisk.possible(folder)) {
      String why = "SKIPPED: disks that lose their power need root, mkfs.ext4 and xfs_io";
      System.err.println(why);
      Assumptions.abort(why);
    }
    disk = LoopDisk.create(folder, "x");
    Files.createDirectory(disk.data());
  }

  @AfterEach
  void unmount() throws IOException {
    if (disk != null) {
      disk.close();
    }
  }

  private void write(String name, boolean synced) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            disk.data().resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[4096]));
      if (synced) {
        file.force(true);
      }
    }
  }

  @Test
  void whatWasSyncedSurvivesACutAndNothingElseDoes() throws IOException {
    write("synced", true);
    write("not synced", false);
    disk.powerOff();
    assertThatThrownBy(() -> write("too late", true)).isInstanceOf(IOException.class);
    disk.powerOn();
    assertThat(disk.data().resolve("synced")).hasSize(4096);
    assertThat(disk.data().resolve("not synced")).doesNotExist();
    assertThat(disk.data().resolve("too late")).doesNotExist();
  }

  @Test
  void aFullDiskTakesNothingUntilThereIsRoomAgain() throws IOException {
    disk.fill();
    assertThatThrownBy(() -> Files.write(disk.data().resolve("large"), new byte[16 << 20]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left");
    disk.makeRoom();
    Files.write(disk.data().resolve("large"), new byte[16 << 20]);
    assertThat(disk.data().resolve("large")).hasSize(16 << 20);
  }
}
