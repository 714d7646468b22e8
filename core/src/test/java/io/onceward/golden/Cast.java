package io.onceward.golden;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.replica.Request.Address;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who and what a script calls by name. {@code billing} is the asker's client of that name as it was
 * opened last, {@code billing#1} its first incarnation, {@code alice/billing} the one of alice,
 * {@code auto:web} a node name. Nonces, clusters and keys are bits made from their names, so that a
 * script means the same bits every time.
 */
final class Cast {
  static final String NOBODY = "anonymous";

  /** An incarnation that no opening returned: what a client would carry that made one up. */
  private static final String INVENTED = "invented";

  private final Map<String, List<Address>> incarnations = new LinkedHashMap<>();
  private final Map<String, Key> keys = new HashMap<>();

  /** The script's name of a client: with its principal unless that is nobody in particular. */
  static String client(String principal, String name) {
    return principal.equals(NOBODY) ? name : principal + "/" + name;
  }

  /** Hears that a client was opened, and says which of its incarnations this is. */
  String opened(String client, Decision.Opened opened, long clusterTag) {
    Address address = new Address(clusterTag, opened.session(), opened.incarnation());
    List<Address> known = incarnations.computeIfAbsent(client, name -> new ArrayList<>());
    String kin = kin(client, address);
    if (!known.contains(address)) {
      known.add(address);
    }
    return client + "#" + (known.indexOf(address) + 1) + " (" + kin + ")";
  }

  private String kin(String client, Address address) {
    for (Map.Entry<String, List<Address>> other : incarnations.entrySet()) {
      for (Address known : other.getValue()) {
        boolean sameSession =
            known.clusterTag() == address.clusterTag() && known.session() == address.session();
        if (sameSession && !other.getKey().equals(client)) {
          return "session of " + other.getKey();
        }
        if (known.equals(address)) {
          return "same opening";
        }
      }
    }
    for (Address known : incarnations.getOrDefault(client, List.of())) {
      if (known.clusterTag() == address.clusterTag() && known.session() == address.session()) {
        return "same session";
      }
    }
    return "new session";
  }

  /** Where a client's requests go. */
  Address address(String principal, String reference) {
    int mark = reference.indexOf('#');
    String name = mark < 0 ? reference : reference.substring(0, mark);
    int slash = name.indexOf('/');
    String owner = slash < 0 ? principal : name.substring(0, slash);
    List<Address> known = incarnations.get(client(owner, name.substring(slash + 1)));
    if (known == null) {
      throw new ScriptException("no client called " + name + " was opened by " + principal);
    }
    Address last = known.get(known.size() - 1);
    if (mark < 0) {
      return last;
    }
    String which = reference.substring(mark + 1);
    if (which.equals(INVENTED)) {
      return new Address(last.clusterTag(), last.session(), last.incarnation() + (1L << 30));
    }
    int number = Integer.parseInt(which);
    if (number < 1 || number > known.size()) {
      throw new ScriptException(name + " was opened " + known.size() + " times, not " + number);
    }
    return known.get(number - 1);
  }

  /**
   * The script's name of an incarnation. After a restore from a backup two clients may have had the
   * same numbers; the one of the present cluster comes first.
   */
  String incarnation(long clusterTag, long session, long incarnation) {
    String found = "unknown " + session + "/" + incarnation;
    for (Map.Entry<String, List<Address>> client : incarnations.entrySet()) {
      for (int i = 0; i < client.getValue().size(); i++) {
        Address known = client.getValue().get(i);
        if (known.session() == session && known.incarnation() == incarnation) {
          found = client.getKey() + "#" + (i + 1);
          if (known.clusterTag() == clusterTag) {
            return found;
          }
        }
      }
    }
    return found;
  }

  Key key(String name) {
    Key key = keys.get(name);
    if (key == null) {
      throw new ScriptException("no key is called " + name + "; make it: key " + name + " uuid");
    }
    return key;
  }

  /** Makes a key of the kind that the words describe. */
  Key define(String name, Words words, long nowMillis) {
    Key key;
    if (words.take("dated")) {
      key = Key.dated(date(words, nowMillis) * 1000, bits(name));
    } else if (words.take("uuidv7")) {
      long high = date(words, nowMillis) << 16 | 0x7000 | (bits(name + "+") & 0xfff);
      key = Key.uuid(new UUID(high, 2L << 62 | bits(name) >>> 2));
    } else if (words.take("uuid")) {
      long high = (bits(name + "+") & ~0xf000L) | 0x4000;
      key = Key.uuid(new UUID(high, 2L << 62 | bits(name) >>> 2));
    } else if (words.take("hash")) {
      key = Key.contentHash(words.quoted("the content").getBytes(StandardCharsets.UTF_8));
    } else if (words.take("text")) {
      key = Key.text(words.quoted("the text"));
    } else if (words.take("with the bits of")) {
      Key other = key(words.word("a key"));
      Key.Kind kind = Key.Kind.valueOf(words.word("a kind").toUpperCase(Locale.ROOT));
      key = Key.of(kind, other.high(), other.low());
    } else {
      throw new ScriptException("a key is dated, uuidv7, uuid, hash or text: " + words);
    }
    words.end();
    Key before = keys.put(name, key);
    if (before != null && !before.equals(key)) {
      throw new ScriptException("the key " + name + " was made before, with other bits");
    }
    return key;
  }

  private static long date(Words words, long nowMillis) {
    if (words.take("now")) {
      return nowMillis;
    }
    long distance = words.durationMillis("now, or a span of time");
    if (words.take("ago")) {
      return nowMillis - distance;
    }
    if (words.take("ahead")) {
      return nowMillis + distance;
    }
    throw new ScriptException("a date is now, 10m ago or 10m ahead: " + words);
  }

  static ClusterId cluster(@Nullable String name) {
    return name == null ? ClusterId.NONE : new ClusterId(bits(name), bits(name + "+"));
  }

  /** 64 bits that are always the same for a name (FNV-1a, then mixed). */
  static long bits(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    return hash ^ hash >>> 33;
  }
}
