package io.onceward.cli;

import io.onceward.files.FileTrouble;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;

/** The options of a server in a properties file, named as on the command line. */
final class ServerFile {
  private static final String ALLOWED =
      "node, listen, bind, data, join, member.ID, service.NAME, quarantine, snapshot-every and"
          + " election-millis";

  private final Path path;
  private final Properties properties;

  private ServerFile(Path path, Properties properties) {
    this.path = path;
    this.properties = properties;
  }

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  static ServerFile read(Path path) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException missing) {
      throw new IllegalArgumentException("there is no file " + path, missing);
    } catch (IOException problem) {
      throw new IllegalArgumentException(
          "cannot read " + path + ": " + FileTrouble.inWords(problem), problem);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(path + ": " + wrong.getMessage(), wrong);
    }
    return new ServerFile(path, properties);
  }

  /**
   * Sets whatever the command line left open.
   *
   * @throws IllegalArgumentException if a name or a value is not allowed; the message says what is
   */
  void fill(ServerOptions options) {
    ServerOptions given = new ServerOptions();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      try {
        set(given, name, properties.getProperty(name).strip());
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(path + ": " + wrong.getMessage(), wrong);
      }
    }
    options.node = options.node == null ? given.node : options.node;
    options.listen = options.listen == null ? given.listen : options.listen;
    options.bind = options.bind == null ? given.bind : options.bind;
    options.data = options.data == null ? given.data : options.data;
    options.join |= given.join;
    options.members = either(options.members, given.members);
    options.quarantined = either(options.quarantined, given.quarantined);
    Map<String, String> services = new LinkedHashMap<>(given.services);
    services.putAll(options.services);
    options.services = services;
    options.snapshotEvery =
        options.snapshotEvery == null ? given.snapshotEvery : options.snapshotEvery;
    options.electionMillis =
        options.electionMillis == null ? given.electionMillis : options.electionMillis;
  }

  private static <T> List<T> either(List<T> given, List<T> fallback) {
    return given.isEmpty() ? new ArrayList<>(fallback) : given;
  }

  private static void set(ServerOptions options, String name, String value) {
    switch (name) {
      case "node" -> options.node = value;
      case "listen" -> options.listen = value;
      case "bind" -> options.bind = value;
      case "data" -> options.data = Path.of(value);
      case "join" -> options.join = yesOrNo(name, value);
      case "snapshot-every" -> options.snapshotEvery = number(name, value);
      case "election-millis" -> options.electionMillis = MillisRange.parse(value);
      case "quarantine" -> {
        for (String place : value.split(",", -1)) {
          options.quarantined.add(QuarantineText.parse(place.strip()));
        }
      }
      default -> {
        if (name.startsWith("member.")) {
          options.members.add(MemberText.parseAddress(name.substring("member.".length()), value));
        } else if (name.startsWith("service.")) {
          options.services.put(name.substring("service.".length()), value);
        } else {
          throw new IllegalArgumentException(
              "there is no \"" + name + "\"; allowed are " + ALLOWED);
        }
      }
    }
  }

  private static boolean yesOrNo(String name, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(name + " is true or false, not \"" + value + "\"");
    };
  }

  private static long number(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException(
          name + " is a whole number, not \"" + value + "\"", notANumber);
    }
  }
}
