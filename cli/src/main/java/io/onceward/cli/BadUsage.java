package io.onceward.cli;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in one sentence that says what is allowed. */
final class BadUsage {
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
    String message = String.valueOf(wrong.getMessage());
    if (message.equals("Missing required subcommand")) {
      return "say what to do: " + String.join(", ", command.getSubcommands().keySet());
    }
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
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
          + String.join(", ", command.getSubcommands().keySet());
    }
    List<String> similar = unmatched.getSuggestions();
    return "'"
        + word
        + "' was not expected here"
        + (similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?");
  }
}
