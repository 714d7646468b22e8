package io.onceward.benchmarks;

/** What the alternatives keep of one execution: the same facts that Onceward's tables keep. */
record Remembered(byte[] reply, long fingerprint, long position, long timeMillis) {

  /** With bytes of its own: what is remembered must not change with the service's buffer. */
  static Remembered of(long fingerprint, long position, long timeMillis) {
    return new Remembered(Replies.BYTES.clone(), fingerprint, position, timeMillis);
  }

  /** The first byte of the reply, after the check that every retry passes. */
  long replay(long retryFingerprint) {
    if (fingerprint != retryFingerprint) {
      throw new IllegalStateException("a retry has another fingerprint");
    }
    return reply[0];
  }
}
