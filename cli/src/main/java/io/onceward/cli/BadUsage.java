package io.onceward.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MaxValuesExceededException;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in one sentence that says what is allowed. */
final class BadUsage {
  /** What picocli says if none of several options was given: all of them, in parentheses. */
  private static final Pattern ONE_OF = Pattern.compile("\\(specify one of these\\): \\((.*)\\)");

  /** What picocli says of a group that matched twice: in braces, what was given. */
  private static final Pattern GIVEN = Pattern.compile("=\\{([^}]*)\\}");

  private static final Pattern NO_PAIR = Pattern.compile("in KEY=VALUE format but was (.*)");

  private BadUsage() {}

  static String sentence(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return unmatched(command, unmatched);
    }
    if (wrong.getCause() instanceof TypeConversionException conversion) {
      return name(wrong.getArgSpec())
          + String.valueOf(conversion.getMessage())
              .replaceAll("is not an? (int|long)$", "is not a whole number in range");
    }
    String message = String.valueOf(wrong.getMessage()).replaceFirst("^Error: ", "");
    if (message.equals("Missing required subcommand")) {
      return "say what to do: " + String.join(", ", command.getSubcommands().keySet());
    }
    if (wrong instanceof MissingParameterException missing) {
      return missing(message, missing.getMissing());
    }
    if (wrong instanceof MaxValuesExceededException && GIVEN.matcher(message).find()) {
      return "given twice, or beside its opposite: "
          + GIVEN
              .matcher(message)
              .results()
              .map(found -> found.group(1))
              .distinct()
              .collect(Collectors.joining(", "));
    }
    Matcher noPair = NO_PAIR.matcher(message);
    ArgSpec argument = wrong.getArgSpec();
    if (argument != null && noPair.find()) {
      return name(argument)
          + "has the form "
          + argument.paramLabel()
          + ", not \""
          + noPair.group(1)
          + "\"";
    }
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  private static String missing(String message, List<ArgSpec> missing) {
    Matcher oneOf = ONE_OF.matcher(message);
    if (oneOf.find()) {
      return "give one of these: " + oneOf.group(1);
    }
    // Of a group, picocli counts among the missing what was given too; its sentence does not.
    List<String> options =
        missing.stream()
            .filter(OptionSpec.class::isInstance)
            .map(OptionSpec.class::cast)
            .filter(option -> message.contains(option.longestName()))
            .map(option -> "'" + asGiven(option) + "'")
            .toList();
    return options.isEmpty()
        ? message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1)
        : "missing required option"
            + (options.size() == 1 ? "" : "s")
            + ": "
            + String.join(", ", options);
  }

  /** With its value and its opposite: users follow a hint that names only one of the two. */
  private static String asGiven(OptionSpec option) {
    String name = option.longestName();
    if (option.negatable()) {
      return "--[no-]" + name.substring("--".length());
    }
    return option.arity().max() == 0 ? name : name + "=" + option.paramLabel();
  }

  private static String name(@Nullable ArgSpec argument) {
    if (argument == null) {
      return "";
    }
    return (argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel())
        + ": ";
  }

  private static String unmatched(CommandLine command, UnmatchedArgumentException unmatched) {
    List<String> words = unmatched.getUnmatched();
    String word = words.get(0);
    if (!word.startsWith("-") && !command.getSubcommands().isEmpty()) {
      return "there is no command '"
          + word
          + "'; there are: "
          + String.join(", ", command.getSubcommands().keySet())
          + (command.getParent() == null ? ", help, version" : "");
    }
    List<String> similar = unmatched.getSuggestions();
    return "'"
        + word
        + "' was not expected here"
        + (similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?");
  }
}
