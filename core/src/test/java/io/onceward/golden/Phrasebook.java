package io.onceward.golden;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.replica.Request.Address;
import io.onceward.replica.RequestCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commands that go into the log, and the request that each of them is. Words in brackets may be
 * left out.
 *
 * <pre>
 * open registered|durable|auto NAME nonce N [journal NAME#1 | journal none | after NAME#1 |
 *     after none | after current] [window 4] [unordered]
 * ask CLIENT 7 "COMMAND" [watermark 7] [fingerprint none | fingerprint of "…"] [cluster C]
 * keep-alive CLIENT [watermark 7]
 * close CLIENT
 * abandon CLIENT 7
 * keyed KEY "COMMAND" [in SCOPE] [ack KEY …] [fingerprint none | fingerprint of "…"]
 * acknowledge KEY … [in SCOPE]
 * abandon KEY [in SCOPE]
 * unkeyed "COMMAND"
 * forget older 30d                       by log time; forget by age 30d counts back from the age
 * set PARAMETER 1h
 * set scope SCOPE retention 48h [dated-only]
 * alias NAME means PRINCIPAL
 * form cluster C                         the first entry; form anew as cluster C after a restore
 * tick
 * mutilated ask …                        any of these, with half of its bytes missing
 * </pre>
 *
 * <p>A watermark that is left out is 1: the client has taken nothing. A fingerprint that is left
 * out is the true one.
 */
final class Phrasebook {
  /**
   * A request as a script line asks it.
   *
   * @param client the name under which an opening is known afterwards, or empty
   * @param mutilated whether only half of its bytes arrive
   */
  record Ask(String principal, Request request, String client, boolean mutilated) {
    Proposal proposal() {
      byte[] frame = RequestCodec.encode(request);
      int length = mutilated ? frame.length / 2 : frame.length;
      return new Proposal(principal, Bytes.of(frame, 0, length));
    }
  }

  private final Cast cast;

  Phrasebook(Cast cast) {
    this.cast = cast;
  }

  /** The request that these words ask for, or empty if they are no request. */
  Optional<Ask> read(String principal, Words words, Replica current, long nowMillis) {
    boolean mutilated = words.take("mutilated");
    if (words.take("open")) {
      return Optional.of(open(principal, words, current));
    }
    Request request = request(principal, words, current, nowMillis);
    if (request == null) {
      return Optional.empty();
    }
    words.end();
    return Optional.of(new Ask(principal, request, "", mutilated));
  }

  private @Nullable Request request(
      String principal, Words words, Replica current, long nowMillis) {
    if (words.take("ask")) {
      return inSession(principal, words);
    } else if (words.take("keep-alive")) {
      Address address = cast.address(principal, words.word("a client"));
      return new Request.KeepAlive(address, watermark(words));
    } else if (words.take("close")) {
      return new Request.Close(cast.address(principal, words.word("a client")));
    } else if (words.take("abandon")) {
      String id = words.word("a client or a key");
      return words.numberFollows()
          ? new Request.AbandonSequence(cast.address(principal, id), words.number("a sequence"))
          : new Request.AbandonKey(scope(words), cast.key(id));
    } else if (words.take("keyed")) {
      return keyed(words);
    } else if (words.take("acknowledge")) {
      List<Key> keys = new ArrayList<>();
      Scope scope = Scope.NONE;
      while (words.hasMore()) {
        if (words.take("in")) {
          scope = new Scope(words.word("a scope"));
        } else {
          keys.add(cast.key(words.word("a key")));
        }
      }
      return new Request.Acknowledge(scope, keys);
    } else if (words.take("unkeyed")) {
      return new Request.Unkeyed(Bytes.utf8(words.quoted("a command")));
    } else if (words.take("forget older")) {
      return new Request.Forget(nowMillis - words.durationMillis("an age"));
    } else if (words.take("forget by age")) {
      return new Request.ForgetByAge(current.ageMillis() - words.durationMillis("an age"));
    } else if (words.take("set scope")) {
      Scope scope = new Scope(words.word("a scope"));
      long retention = words.take("retention") ? words.durationMillis("a retention") : 0;
      return new Request.SetScope(scope, retention, words.take("dated-only"));
    } else if (words.take("set")) {
      Parameter parameter = parameter(words.word("a parameter"));
      String value = words.word("a value");
      boolean plain = value.chars().allMatch(Character::isDigit);
      return new Request.SetParameter(
          parameter, plain ? Long.parseLong(value) : Durations.parse(value));
    } else if (words.take("alias")) {
      String name = words.word("a name");
      if (!words.take("means")) {
        throw new ScriptException("expected: alias NAME means PRINCIPAL, got: " + words);
      }
      return new Request.Alias(name, words.word("a principal"));
    } else if (words.take("form cluster")) {
      return new Request.FormCluster(cluster(words));
    } else if (words.take("form anew as cluster")) {
      return new Request.ReformCluster(current.clusterId(), cluster(words));
    } else if (words.take("confirm quarantines")) {
      return new Request.ConfirmQuarantines(current.position(), current.unconfirmedQuarantines());
    } else if (words.take("tick")) {
      return new Request.Tick();
    }
    return null;
  }

  private static ClusterId cluster(Words words) {
    String name = words.word("a cluster");
    return Cast.cluster(name.equals("none") ? null : name);
  }

  private Ask open(String principal, Words words, Replica current) {
    ClientKind kind = ClientKind.valueOf(words.word("a kind").toUpperCase(Locale.ROOT));
    String name = words.word("a name");
    if (!words.take("nonce")) {
      throw new ScriptException("an opening has a nonce: " + words);
    }
    String nonce = words.word("a nonce");
    boolean journal = words.take("journal");
    long predecessor = 0;
    long clusterTag = current.clusterId().tag();
    if (journal || words.take("after")) {
      if (words.take("current")) {
        predecessor = current(principal, kind, name, current);
      } else if (!words.take("none")) {
        Address followed = cast.address(principal, words.word("an incarnation"));
        predecessor = followed.incarnation();
        clusterTag = followed.clusterTag();
      }
    } else if (kind != ClientKind.REGISTERED) {
      predecessor = current(principal, kind, name, current);
    }
    int window = words.take("window") ? (int) words.number("a window") : 0;
    boolean ordered = !words.take("unordered");
    words.end();
    return new Ask(
        principal,
        new Request.Open(
            kind,
            kind == ClientKind.REGISTERED ? "" : name,
            Cast.bits(nonce),
            Cast.bits(nonce + "+"),
            clusterTag,
            predecessor,
            journal,
            ordered,
            window),
        Cast.client(principal, kind == ClientKind.AUTO ? "auto:" + name : name),
        false);
  }

  /** What a linearizable read says just before the opening. */
  private static long current(String principal, ClientKind kind, String name, Replica replica) {
    return replica.session(principal, kind, name).map(Replica.SessionView::incarnation).orElse(0L);
  }

  private Request inSession(String principal, Words words) {
    Address address = cast.address(principal, words.word("a client"));
    long sequence = words.number("a sequence");
    String command = words.quoted("a command");
    long watermark = watermark(words);
    Fingerprint fingerprint = fingerprint(words, command);
    if (words.take("cluster")) {
      long tag = Cast.cluster(words.word("a cluster")).tag();
      address = new Address(tag, address.session(), address.incarnation());
    }
    return new Request.InSession(address, sequence, watermark, fingerprint, Bytes.utf8(command));
  }

  private Request keyed(Words words) {
    Key key = cast.key(words.word("a key"));
    String command = words.quoted("a command");
    Scope scope = scope(words);
    List<Key> acknowledged = new ArrayList<>();
    while (words.take("ack")) {
      acknowledged.add(cast.key(words.word("a key")));
    }
    Fingerprint fingerprint = fingerprint(words, command);
    return new Request.Keyed(scope, key, fingerprint, acknowledged, Bytes.utf8(command));
  }

  static Scope scope(Words words) {
    return words.take("in") ? new Scope(words.word("a scope")) : Scope.NONE;
  }

  private static long watermark(Words words) {
    return words.take("watermark") ? words.number("a watermark") : 1;
  }

  private static @Nullable Fingerprint fingerprint(Words words, String command) {
    if (words.take("fingerprint none")) {
      return null;
    }
    String asked = words.take("fingerprint of") ? words.quoted("a command") : command;
    return Fingerprint.of("", asked.getBytes(StandardCharsets.UTF_8));
  }

  /** A parameter by its name in small letters, without its unit: {@code max-reply}. */
  static Parameter parameter(String name) {
    for (Parameter parameter : Parameter.values()) {
      String printed = parameter.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (printed.replaceAll("-(millis|bytes)$", "").equals(name)) {
        return parameter;
      }
    }
    throw new ScriptException("no parameter is called " + name);
  }
}
