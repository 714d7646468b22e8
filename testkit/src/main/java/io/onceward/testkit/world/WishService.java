package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.testkit.audit.Execution;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The user's service in the simulated world. It counts, so that executing twice shows in the reply,
 * chains everything that it was asked into one number, so that it shows in the digest, and tells
 * each execution to its listener, so that it shows to the auditor. Asked anything, it says as whom.
 */
public final class WishService implements Service {
  /** A node's service threw an Error on purpose. */
  static final class PoisonError extends Error {
    private static final long serialVersionUID = 1L;

    final long wish;

    PoisonError(long wish) {
      super("wish " + wish + " is poison");
      this.wish = wish;
    }
  }

  static final int NAMES = 64;

  /** The limit that a wish to keep something meets. */
  static final String KEPT_BYTES = "kept bytes";

  private final int node;
  private final Consumer<Execution> listener;
  private long count;
  private long chain;
  private long names;
  private long kept;

  /**
   * A service without any past.
   *
   * @param node differs between nodes, and so must not show in any state or reply
   */
  public WishService(int node, Consumer<Execution> listener) {
    this.node = node;
    this.listener = listener;
  }

  @Override
  public String obstacle(Command command, long bytesLeft) {
    Wish wish = Wish.read(command.payload());
    return wish != null && wish.deed() == Wish.Deed.KEEP && wish.argument() > bytesLeft
        ? KEPT_BYTES
        : "";
  }

  @Override
  public long stateBytes() {
    return kept;
  }

  @Override
  public Reply execute(Command command) {
    Wish wish = Wish.read(command.payload());
    if (wish == null) {
      throw new IllegalArgumentException("no wish in a payload of " + command.payload().length());
    }
    if (wish.deed() == Wish.Deed.POISON) {
      throw new PoisonError(wish.number());
    }
    count++;
    chain = Dice.mix(chain ^ wish.number()) + command.position() + command.timeMillis();
    Reply reply =
        switch (wish.deed()) {
          case COUNT -> Reply.ok(answer(wish, wish.argument()));
          case DECLINE -> Reply.businessError(answer(wish, wish.argument()));
          case REGISTER -> register(wish);
          case KEEP -> keep(wish, kept + wish.argument());
          case DROP -> keep(wish, 0);
          case FAIL, POISON -> Reply.FAILED;
        };
    listener.accept(new Execution(wish.number(), command.principal(), reply));
    if (wish.deed() == Wish.Deed.FAIL) {
      throw new IllegalStateException(node % 2 == 0 ? "failed on purpose on node " + node : null);
    }
    return reply;
  }

  /** Answers as whom it was asked. */
  @Override
  public Reply query(Command question) {
    return Reply.ok(Bytes.utf8(question.principal()));
  }

  private Reply keep(Wish wish, long bytes) {
    kept = bytes;
    return Reply.ok(answer(wish, 2 * Long.BYTES));
  }

  private Reply register(Wish wish) {
    long name = 1L << wish.argument();
    boolean taken = (names & name) != 0;
    names |= name;
    Bytes answer = answer(wish, 2 * Long.BYTES);
    return taken ? Reply.businessError(answer) : Reply.ok(answer);
  }

  private Bytes answer(Wish wish, int length) {
    ByteBuffer out = ByteBuffer.allocate(Math.max(length, 2 * Long.BYTES));
    out.putLong(wish.number()).putLong(count);
    return Bytes.of(out.array());
  }

  @Override
  public Frozen freeze() {
    long frozenCount = count;
    long frozenChain = chain;
    long frozenNames = names;
    long frozenKept = kept;
    return stream -> {
      DataOutputStream out = new DataOutputStream(stream);
      out.writeLong(frozenCount);
      out.writeLong(frozenChain);
      out.writeLong(frozenNames);
      out.writeLong(frozenKept);
      out.flush();
    };
  }

  @Override
  public void restore(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(stream);
    count = in.readLong();
    chain = in.readLong();
    names = in.readLong();
    kept = in.readLong();
  }
}
