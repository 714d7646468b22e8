package io.onceward.benchmarks;

import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.InputStream;

/** A service that takes no time, so that what is measured is what goes on around it. */
final class ConstantService implements Service {
  @Override
  public Reply execute(Command command) {
    return Replies.REPLY;
  }

  @Override
  public Frozen freeze() {
    return out -> {};
  }

  @Override
  public void restore(InputStream in) {}
}
