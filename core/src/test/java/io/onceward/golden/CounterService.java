package io.onceward.golden;

import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * The service of the scripts: a total, a few named values, and a count of how often it was called,
 * so that an effect that happens twice can be seen.
 *
 * <pre>
 * add 5           the total grows by 5; answers the new total
 * take 5          the total shrinks by 5, or the business error "insufficient funds"
 * put x 1         x is 1 from now on; answers "x=1"
 * register NAME   the business error "NAME already used" if it is
 * fail TEXT       the business error TEXT
 * throw           adds 1 to the total, then throws a RuntimeException
 * error           throws a StackOverflowError
 * big 2000        adds 1 to the total and answers 2000 bytes
 * time            answers log time
 * whoami          answers the principal
 * </pre>
 */
class CounterService implements Service {
  private final boolean talkative;
  private final Map<String, String> values = new TreeMap<>();
  private long total;
  private long executions;

  // What a script does to the node while the service is at work; no part of its state.
  private int executionsUntilInterruption;
  private Runnable interruption = () -> {};

  /**
   * @param talkative whether its exceptions have a message; two JVMs differ in this, so two nodes
   *     of a script do
   */
  CounterService(boolean talkative) {
    this.talkative = talkative;
  }

  long total() {
    return total;
  }

  long executions() {
    return executions;
  }

  String value(String name) {
    return name + "=" + values.getOrDefault(name, "");
  }

  /** Lets something happen at the end of the so-many-th execution from now. */
  void interrupt(int afterExecutions, Runnable what) {
    executionsUntilInterruption = afterExecutions;
    interruption = what;
  }

  @Override
  public Reply execute(Command command) {
    executions++;
    Reply reply = carryOut(command);
    if (--executionsUntilInterruption == 0) {
      interruption.run();
    }
    return reply;
  }

  private Reply carryOut(Command command) {
    String[] words = command.payload().asText().split(" ", 2);
    String rest = words.length > 1 ? words[1] : "";
    return switch (words[0]) {
      case "add" -> Reply.ok(Long.toString(total += Long.parseLong(rest)));
      case "take" -> take(Long.parseLong(rest));
      case "put" -> put(rest.split(" ", 2));
      case "register" -> register(rest);
      case "fail" -> Reply.businessError(rest);
      case "throw" -> throwHalfway();
      case "error" -> throw new StackOverflowError();
      case "big" -> big(Integer.parseInt(rest));
      case "time" -> Reply.ok(Durations.printMoment(command.timeMillis()));
      case "whoami" -> Reply.ok(command.principal());
      default -> Reply.businessError("no such command");
    };
  }

  private Reply take(long amount) {
    if (amount > total) {
      return Reply.businessError("insufficient funds");
    }
    total -= amount;
    return Reply.ok(Long.toString(total));
  }

  private Reply put(String[] nameAndValue) {
    values.put(nameAndValue[0], nameAndValue[1]);
    return Reply.ok(value(nameAndValue[0]));
  }

  private Reply register(String name) {
    if (values.putIfAbsent(name, "registered") != null) {
      return Reply.businessError(name + " already used");
    }
    return Reply.ok("registered " + name);
  }

  private Reply throwHalfway() {
    total++;
    throw talkative ? new IllegalStateException("something was null") : new NullPointerException();
  }

  private Reply big(int bytes) {
    total++;
    return Reply.ok("x".repeat(bytes));
  }

  @Override
  public Frozen freeze() {
    long frozenTotal = total;
    long frozenExecutions = executions;
    Map<String, String> frozenValues = new TreeMap<>(values);
    return out -> {
      DataOutputStream data = new DataOutputStream(out);
      data.writeLong(frozenTotal);
      data.writeLong(frozenExecutions);
      data.writeInt(frozenValues.size());
      for (Map.Entry<String, String> value : frozenValues.entrySet()) {
        data.writeUTF(value.getKey());
        data.writeUTF(value.getValue());
      }
      data.flush();
    };
  }

  @Override
  public void restore(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    total = data.readLong();
    executions = data.readLong();
    values.clear();
    for (int left = data.readInt(); left > 0; left--) {
      values.put(data.readUTF(), data.readUTF());
    }
  }
}
