package io.onceward.fuzz;

import io.onceward.client.journal.JournalTarget;
import io.onceward.grpc.MetadataTarget;
import io.onceward.http.HeadersTarget;
import io.onceward.replica.LogEntryTarget;
import io.onceward.replica.RestoreTarget;
import io.onceward.replica.SnapshotTarget;
import io.onceward.services.PayloadsTarget;
import io.onceward.services.StatesTarget;
import io.onceward.wire.AnswersTarget;
import io.onceward.wire.QuestionsTarget;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A decoder, or some that belong together, that reads bytes from outside. */
enum Target {
  QUESTIONS(
      "questions",
      "frames from clients",
      QuestionsTarget.class,
      QuestionsTarget::fuzzerTestOneInput),
  ANSWERS("answers", "frames from nodes", AnswersTarget.class, AnswersTarget::fuzzerTestOneInput),
  LOG_ENTRY(
      "log-entry",
      "log entries and requests",
      LogEntryTarget.class,
      LogEntryTarget::fuzzerTestOneInput),
  SNAPSHOT(
      "snapshot",
      "the form of snapshots",
      SnapshotTarget.class,
      SnapshotTarget::fuzzerTestOneInput),
  RESTORE("restore", "tables in snapshots", RestoreTarget.class, RestoreTarget::fuzzerTestOneInput),
  STATES("states", "services in snapshots", StatesTarget.class, StatesTarget::fuzzerTestOneInput),
  PAYLOADS(
      "payloads",
      "commands and replies of services",
      PayloadsTarget.class,
      PayloadsTarget::fuzzerTestOneInput),
  IDS("ids", "request ids and keys as text", IdsTarget.class, IdsTarget::fuzzerTestOneInput),
  HEADERS(
      "headers",
      "HTTP headers, remembered responses, JSON bodies",
      HeadersTarget.class,
      HeadersTarget::fuzzerTestOneInput),
  METADATA(
      "metadata",
      "gRPC metadata, remembered replies",
      MetadataTarget.class,
      MetadataTarget::fuzzerTestOneInput),
  JOURNAL("journal", "journals of clients", JournalTarget.class, JournalTarget::fuzzerTestOneInput),
  SIMPLE_DOOR(
      "simple-door",
      "memories of simple doors",
      SimpleDoorTarget.class,
      SimpleDoorTarget::fuzzerTestOneInput);

  private final String text;
  private final String description;
  private final Class<?> type;

  @SuppressWarnings("ImmutableEnumChecker") // A method, which nobody changes.
  private final Consumer<byte[]> decoder;

  Target(String text, String description, Class<?> type, Consumer<byte[]> decoder) {
    this.text = text;
    this.description = description;
    this.type = type;
    this.decoder = decoder;
  }

  static @Nullable Target named(String text) {
    return Arrays.stream(values()).filter(t -> t.text.equals(text)).findFirst().orElse(null);
  }

  String text() {
    return text;
  }

  String description() {
    return description;
  }

  Class<?> type() {
    return type;
  }

  /** Gives it one input, as Jazzer would; whatever it throws is a find. */
  void take(byte[] input) {
    decoder.accept(input);
  }

  /** What the search starts from: the files beside this class. */
  List<Path> seeds() throws IOException {
    URL folder = Target.class.getResource("seeds/" + text);
    if (folder == null) {
      throw new IllegalStateException("there are no seeds for " + text);
    }
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
      return files.sorted().toList();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("cannot list the seeds of " + text, e);
    }
  }
}
