package io.onceward.services;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import io.onceward.Reply;

/**
 * Reads what {@link PayloadWriter} writes. Whatever it is given, it answers with the value or a
 * {@link DamagedException} that names the place; a value has one form.
 */
final class PayloadReader {
  private final String source;
  private final Bytes payload;
  private int position;

  PayloadReader(String source, Bytes payload) {
    this.source = source;
    this.payload = payload;
  }

  int u8() {
    if (position == payload.length()) {
      throw damaged(position, "1 more byte is needed, 0 are left");
    }
    return payload.at(position++) & 0xff;
  }

  /** A u8 that is 0 or 1. */
  boolean flag(String what) {
    int value = u8();
    if (value > 1) {
      throw damaged(position - 1, what + " is " + value + "; allowed are 0 and 1");
    }
    return value == 1;
  }

  long i64() {
    if (left() < Long.BYTES) {
      throw damaged(position, "8 bytes should follow, " + left() + " are left");
    }
    long value = payload.longAt(position);
    position += Long.BYTES;
    return value;
  }

  /** A varint from {@code least}, which is not negative, to {@code most}. */
  long number(String what, long least, long most) {
    int at = position;
    long value = varint();
    if (value < least || value > most) {
      throw damaged(
          at,
          what + " is " + Long.toUnsignedString(value) + "; allowed are " + least + " to " + most);
    }
    return value;
  }

  private long varint() {
    int at = position;
    long value = 0;
    int shift = 0;
    int next = u8();
    while (next >= 0x80) {
      value |= (long) (next & 0x7f) << shift;
      shift += 7;
      next = u8();
      if (shift == 63 && next > 1) {
        throw damaged(at, "a varint has more than 64 bits");
      }
    }
    if (next == 0 && shift > 0) {
      throw damaged(at, "a varint is longer than needed");
    }
    return value | (long) next << shift;
  }

  /** A length within the bounds, and that many bytes as a view. */
  Bytes bytes(String what, int least, int most) {
    int at = position;
    int length = (int) number("length of " + what, least, most);
    if (length > left()) {
      throw damaged(at, length + " bytes should follow, " + left() + " are left");
    }
    Bytes bytes = payload.slice(position, length);
    position += length;
    return bytes;
  }

  String utf8(String what, int least, int most) {
    int at = position;
    Bytes encoded = bytes(what, least, most);
    String text = encoded.asText();
    // Java reads broken UTF-8 as replacement characters, which are written as other bytes.
    if (text.indexOf('\ufffd') >= 0 && !Bytes.utf8(text).equals(encoded)) {
      throw damaged(at, what + " is not UTF-8");
    }
    return text;
  }

  /** All that follows, as a view. */
  Bytes rest() {
    Bytes rest = payload.slice(position, left());
    position = payload.length();
    return rest;
  }

  void finish() {
    if (left() > 0) {
      throw damaged(position, left() + " bytes follow the end");
    }
  }

  int position() {
    return position;
  }

  DamagedException unknown(String what, int code, int most) {
    return damaged(0, what + " " + code + " is unknown; 1 to " + most + " are allowed");
  }

  /** What a service answers to a payload that is no command. The words are part of its replies. */
  static Reply refusal(DamagedException e) {
    return Reply.businessError("malformed command, byte " + e.offset() + ": " + e.reason());
  }

  private int left() {
    return payload.length() - position;
  }

  DamagedException damaged(int at, String reason) {
    return new DamagedException(source, at, reason);
  }
}
