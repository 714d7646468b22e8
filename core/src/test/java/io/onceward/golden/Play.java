package io.onceward.golden;

import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Scope;
import io.onceward.golden.Node.Heard;
import io.onceward.golden.Phrasebook.Ask;
import io.onceward.golden.Script.Command;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request.Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Plays a script on a {@link Stage}: each command becomes one line of results. What goes into the
 * log is in the {@link Phrasebook}; these commands look at the world or move it.
 *
 * <pre>
 * key NAME dated|uuidv7 now|10m ago|10m ahead   makes a key; also: uuid, text "…", hash "…",
 *                                               with the bits of KEY uuid|hash|text
 * outcome CLIENT 7 | outcome KEY [in SCOPE]     asks what became of a request
 * forget older 30d dry run                      counts what would be forgotten; also: by age 30d
 * total, executions, value X                    the state of the service
 * sessions, session CLIENT                      the sessions there are, and one of them
 * horizon [in SCOPE], table, time               horizon, accounted bytes, log time and age
 *
 * wait 5m                    time passes, the leader logs a tick per keep-alive interval
 * stall 5m                   time passes, nothing is applied, the leader stays
 * new leader                 the next entry is the first of a new term
 * outage 25h                 time passes, nothing is applied, then there is a new leader
 * clock +1y for one entry    the leader's clock is wrong when it stamps the next entry
 * skip 5 positions           the engine used log positions for itself
 *
 * lag, catch up, install snapshot       the second node falls behind, and comes back
 * switch nodes                          the script goes on with the other node
 * snapshot and restore                  the node goes on as a copy read from its snapshot
 * freeze                                keeps a view to restart from
 * restart                               all nodes start again, from the view or the whole log
 * quarantine request 2 of the last entry | of the next entry
 * unconfirmed quarantines               those that the log has not confirmed yet
 * back up, restore the backup           disaster and recovery
 * replay elsewhere                      a third node applies the whole log
 * replay without quarantines            the same, and nobody told it of a quarantine
 * snapshot inside the next entry after request 50, verdict on that snapshot
 * door …                                the simple door, see {@link DoorCommands}
 * </pre>
 *
 * <p>Every command may begin with {@code as alice}. A command with {@code 1..100} in it stands for
 * a hundred commands with the numbers in its place, and gets one line of results.
 */
final class Play {
  private static final Pattern RANGE = Pattern.compile("([a-z-]*)(\\d+)\\.\\.([a-z-]*)(\\d+)");

  private final Stage stage;
  private final Cast cast = new Cast();
  private final Phrasebook phrasebook = new Phrasebook(cast);
  private final DoorCommands door = new DoorCommands();

  Play(Function<Boolean, CounterService> services) {
    stage = new Stage(services);
  }

  /** The lines that come of a command: one, or for a block one per command inside. */
  List<String> results(Command command) {
    if (command instanceof Command.Plain plain) {
      List<String> results = new ArrayList<>();
      for (String line : expanded(plain.text())) {
        results.add(single(line));
      }
      return List.of(Printer.summary(results));
    } else if (command instanceof Command.Entry entry) {
      return entry(entry);
    } else if (command instanceof Command.Repeat repeat) {
      return repeat(repeat);
    }
    throw new IllegalArgumentException("no such command: " + command);
  }

  /** Checks what must hold at the end of every script. */
  void end() {
    stage.end();
  }

  private List<String> entry(Command.Entry entry) {
    List<Ask> asks = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (Command.Plain plain : entry.commands()) {
      List<String> lines = expanded(plain.text());
      sizes.add(lines.size());
      for (String line : lines) {
        Words words = Words.of(line);
        String principal = principal(words);
        asks.add(
            ask(principal, words)
                .orElseThrow(() -> new ScriptException("cannot stand in an entry: " + line)));
      }
    }
    List<String> all = log(asks);
    List<String> results = new ArrayList<>();
    int from = 0;
    for (int size : sizes) {
      results.add(Printer.summary(all.subList(from, from + size)));
      from += size;
    }
    return results;
  }

  /** The results of the last round, and whether all rounds had the same. */
  private List<String> repeat(Command.Repeat repeat) {
    List<List<String>> rounds = new ArrayList<>();
    for (int round = 0; round < repeat.times(); round++) {
      List<String> results = new ArrayList<>();
      for (Command command : repeat.commands()) {
        results.addAll(results(command));
      }
      rounds.add(results);
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < rounds.get(0).size(); i++) {
      int line = i;
      String last = rounds.get(rounds.size() - 1).get(line);
      boolean alike = rounds.stream().allMatch(round -> round.get(line).equals(last));
      lines.add(alike ? last + " (each time)" : "… " + last);
    }
    return lines;
  }

  private static List<String> expanded(String line) {
    Matcher range = RANGE.matcher(line);
    if (!range.find()) {
      return List.of(line);
    }
    List<String> lines = new ArrayList<>();
    for (int i = Integer.parseInt(range.group(2)); i <= Integer.parseInt(range.group(4)); i++) {
      lines.add(
          line.substring(0, range.start()) + range.group(1) + i + line.substring(range.end()));
    }
    return lines;
  }

  private String single(String line) {
    Words words = Words.of(line);
    String principal = principal(words);
    if (line.endsWith(" dry run") && words.take("forget older")) {
      long before = stage.nowMillis() - words.durationMillis("an age");
      return "would forget " + stage.replica().countOlderThan(before);
    }
    if (line.endsWith(" dry run") && words.take("forget by age")) {
      long before = stage.replica().ageMillis() - words.durationMillis("an age");
      return "would forget " + stage.replica().countByAge(before);
    }
    Optional<Ask> ask = ask(principal, words);
    if (ask.isPresent()) {
      return log(List.of(ask.get())).get(0);
    }
    String result = look(principal, words);
    if (result.isEmpty()) {
      result = move(words);
    }
    if (result.isEmpty()) {
      result = direct(words);
    }
    words.end();
    return result;
  }

  private static String principal(Words words) {
    return words.take("as") ? words.word("a principal") : Cast.NOBODY;
  }

  private Optional<Ask> ask(String principal, Words words) {
    return phrasebook.read(principal, words, stage.replica(), stage.nowMillis());
  }

  private List<String> log(List<Ask> asks) {
    List<Proposal> proposals = asks.stream().map(Ask::proposal).collect(Collectors.toList());
    Heard heard = stage.log(proposals);
    List<String> results = new ArrayList<>();
    for (int i = 0; i < asks.size(); i++) {
      results.add(
          heard.stoppedBy() != null
              ? "the node is stopped by " + heard.stoppedBy()
              : told(asks.get(i), heard.decisions().get(i)));
    }
    return results;
  }

  private String told(Ask ask, Decision decision) {
    if (decision instanceof Decision.Opened opened) {
      long tag = stage.replica().clusterId().tag();
      return Printer.opened(cast.opened(ask.client(), opened, tag), opened);
    }
    return Printer.decision(decision);
  }

  /** Commands that change nothing; an empty result if it is none of them. */
  private String look(String principal, Words words) {
    if (words.take("key")) {
      Key key = cast.define(words.word("a name"), words, stage.nowMillis());
      return key.isDated() ? "dated " + Durations.printMicros(key.dateMicros()) : "undated";
    } else if (words.take("outcome")) {
      return Printer.outcome(stage.witnessed(outcome(principal, words)));
    } else if (words.take("total")) {
      return "total " + stage.service().total();
    } else if (words.take("executions")) {
      return "executions " + stage.service().executions();
    } else if (words.take("value")) {
      return stage.service().value(words.word("a name"));
    } else if (words.take("sessions")) {
      String names =
          stage.replica().sessions().stream().map(this::name).collect(Collectors.joining(", "));
      return "sessions: " + (names.isEmpty() ? "none" : names);
    } else if (words.take("session")) {
      return session(cast.address(principal, words.word("a client")));
    } else if (words.take("horizon")) {
      Scope scope = Phrasebook.scope(words);
      long micros = stage.replica().horizonMicros(scope);
      return "horizon " + (micros == 0 ? "none" : Durations.printMicros(micros));
    } else if (words.take("table")) {
      return "table " + stage.replica().tableBytes() + " bytes";
    } else if (words.take("time")) {
      return "log time " + Durations.printMoment(stage.replica().timeMillis()) + ", " + age();
    } else if (words.take("show")) {
      String name = words.word("a parameter");
      return name + " " + stage.replica().parameter(Phrasebook.parameter(name));
    }
    return "";
  }

  private Outcome outcome(String principal, Words words) {
    String id = words.word("a client or a key");
    if (words.numberFollows()) {
      return stage
          .replica()
          .outcome(principal, cast.address(principal, id), words.number("a sequence"));
    }
    return stage.replica().outcome(principal, Phrasebook.scope(words), cast.key(id));
  }

  private String name(SessionView view) {
    return cast.incarnation(stage.replica().clusterId().tag(), view.session(), view.incarnation());
  }

  private String session(Address address) {
    for (SessionView view : stage.replica().sessions()) {
      if (view.session() == address.session()) {
        return name(view)
            + ", next "
            + view.nextSequence()
            + ", watermark "
            + view.watermark()
            + ", idle "
            + Durations.print(view.idleMillis());
      }
    }
    return "no session";
  }

  private String age() {
    return "age " + Durations.print(stage.replica().ageMillis());
  }

  /** Commands that move time; an empty result if it is none of them. */
  private String move(Words words) {
    if (words.take("wait")) {
      stage.pass(words.durationMillis("how long"));
      return age();
    } else if (words.take("stall")) {
      stage.stall(words.durationMillis("how long"));
      return "nothing is applied";
    } else if (words.take("new leader")) {
      return "term " + stage.newLeader();
    } else if (words.take("outage")) {
      stage.stall(words.durationMillis("how long"));
      return "nothing is applied, then term " + stage.newLeader();
    } else if (words.take("clock")) {
      String offset = words.word("+1y or -1y");
      long millis = Durations.parse(offset.substring(1));
      stage.offsetNextStamp(offset.startsWith("-") ? -millis : millis);
      if (!words.take("for one entry")) {
        throw new ScriptException("expected: clock +1y for one entry");
      }
      return "ready";
    } else if (words.take("skip")) {
      stage.skipPositions((int) words.number("how many"));
      return words.take("positions") ? "ready" : "";
    }
    return "";
  }

  /** Commands about nodes. */
  private String direct(Words words) {
    if (words.take("lag")) {
      stage.lag();
      return "the second node lags";
    } else if (words.take("catch up")) {
      return stage.catchUp();
    } else if (words.take("install snapshot")) {
      return stage.installSnapshot();
    } else if (words.take("switch nodes")) {
      stage.switchNodes();
      return "the other node speaks";
    } else if (words.take("snapshot and restore")) {
      return stage.snapshotAndRestore();
    } else if (words.take("freeze")) {
      stage.freeze();
      return "frozen";
    } else if (words.take("restart")) {
      String stoppedBy = stage.restart();
      return stoppedBy == null ? "running" : "the node is stopped by " + stoppedBy;
    } else if (words.take("unconfirmed quarantines")) {
      return "unconfirmed " + stage.replica().unconfirmedQuarantines().size();
    } else if (words.take("quarantine request")) {
      int ordinal = (int) words.number("which request") - 1;
      if (words.take("of the last entry")) {
        stage.quarantineLast(ordinal);
      } else if (words.take("of the next entry")) {
        stage.quarantineNext(ordinal);
      }
      return "quarantined";
    } else if (words.take("back up")) {
      stage.backUp();
      return "kept";
    } else if (words.take("restore the backup")) {
      stage.restoreBackup();
      return "restored";
    } else if (words.take("replay without quarantines")) {
      return stage.replayWithoutQuarantines();
    } else if (words.take("replay elsewhere")) {
      return stage.replayElsewhere();
    } else if (words.take("snapshot inside the next entry after request")) {
      stage.freezeInsideNextEntry((int) words.number("which request"));
      return "ready";
    } else if (words.take("verdict on that snapshot")) {
      return stage.freezeVerdict();
    } else if (words.take("door")) {
      return door.result(words);
    }
    throw new ScriptException("no such command: " + words);
  }
}
