package io.onceward.golden;

import io.onceward.SimpleDoor;
import io.onceward.SimpleDoor.RequestKey;
import java.util.Arrays;

/**
 * Commands for the simple door (S10), which has no log and no service.
 *
 * <pre>
 * door with window 4        a new door
 * door asks phone 7         should request 7 of this client be applied?
 * door asks nothing         should a request without a key be applied?
 * door closes phone         forgets a client
 * door is saved and loaded  goes on as a copy from its bytes
 * </pre>
 *
 * <p>A second door that is never saved and loaded hears the same, and must say the same.
 */
final class DoorCommands {
  private SimpleDoor door = new SimpleDoor();
  private SimpleDoor second = new SimpleDoor();

  String result(Words words) {
    if (words.take("with window")) {
      int window = (int) words.number("a window");
      door = new SimpleDoor(window);
      second = new SimpleDoor(window);
      return "a new door";
    } else if (words.take("asks nothing")) {
      return door.shouldApply(null) ? "apply" : "do not apply";
    } else if (words.take("asks")) {
      RequestKey key = new RequestKey(words.word("a client"), words.number("a sequence"));
      SimpleDoor.Answer answer = door.answer(key);
      if (second.answer(key) != answer) {
        throw new AssertionError("two doors that heard the same disagree about " + key);
      }
      return switch (answer) {
        case NEW -> "apply";
        case APPLIED_BEFORE -> "do not apply: applied before";
        case TOO_OLD_TO_TELL -> "do not apply: too old to tell";
        case SUPERSEDED -> "do not apply: superseded";
      };
    } else if (words.take("closes")) {
      String client = words.word("a client");
      second.close(client);
      return door.close(client) ? "forgotten" : "nothing to forget";
    } else if (words.take("is saved and loaded")) {
      byte[] saved = door.toBytes();
      door = SimpleDoor.fromBytes(saved);
      return Arrays.equals(saved, second.toBytes()) && Arrays.equals(saved, door.toBytes())
          ? "same bytes"
          : "OTHER BYTES";
    }
    throw new ScriptException("no such command: " + words);
  }
}
