package io.onceward.torture.disk;

import java.nio.file.Path;

/** A folder like any other. */
public record FolderDisk(Path data) implements Disk {
  @Override
  public boolean isReal() {
    return false;
  }

  @Override
  public void powerOff() {
    throw new UnsupportedOperationException("a folder has no power to lose");
  }

  @Override
  public void powerOn() {
    throw new UnsupportedOperationException("a folder has no power to lose");
  }

  @Override
  public void fill() {
    throw new UnsupportedOperationException("this would fill the disk of the whole machine");
  }

  @Override
  public void makeRoom() {
    throw new UnsupportedOperationException("this would fill the disk of the whole machine");
  }

  @Override
  public void close() {
    // Whoever made the folder removes it.
  }
}
