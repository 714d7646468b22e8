package io.onceward.replica;

import io.onceward.Bytes;

/** Decodes from memory. Offsets are counted from the start of the bytes it was given. */
final class ByteReader extends Decoder<RuntimeException> {

  ByteReader(String source, Bytes bytes) {
    super(source);
    startAt(bytes);
  }

  /** Begins anew with other bytes. */
  void startAt(Bytes bytes) {
    window = bytes;
    position = 0;
  }

  @Override
  void fetch(int count) {
    throw damaged(position, count + " more bytes are needed, " + left() + " are left");
  }

  @Override
  long offset() {
    return position;
  }

  @Override
  void checkLeft(long at, int length) {
    if (length > left()) {
      throw damaged(at, length + " bytes should follow, " + left() + " are left");
    }
  }

  int left() {
    return window.length() - position;
  }

  /** The next bytes as a view, which {@link #length} has found to be there. */
  Bytes view(int length) {
    Bytes view = window.slice(position, length);
    position += length;
    return view;
  }

  void finish() {
    if (left() > 0) {
      throw damaged(position, left() + " bytes follow the end");
    }
  }
}
