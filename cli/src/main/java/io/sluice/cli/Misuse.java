package io.sluice.cli;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line, and where help is. */
final class Misuse implements IParameterExceptionHandler {
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class);
  private static final Set<Class<?>> FRACTIONAL =
      Set.of(double.class, Double.class, BigDecimal.class);
  private static final Pattern TYPED =
      Pattern.compile("(?:: cannot convert |: |but was )'?(.*?)'?(?: is not .*| to .*|)$");

  private final Console console;

  Misuse(Console console) {
    this.console = console;
  }

  @Override
  public int handleParseException(ParameterException e, String[] words) {
    CommandLine command = e.getCommandLine();
    console.say(words(e, command));
    console.err().println(name(command) + " --help shows what there is");
    return Exit.MISUSED.code();
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private static String words(ParameterException e, CommandLine command) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched.getUnmatched().getFirst(), command);
    }
    if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      return missing(missing.getMissing(), command);
    }
    return plain(e, command);
  }

  private static String plain(ParameterException e, CommandLine command) {
    String message = String.valueOf(e.getMessage());
    if (message.startsWith("Missing required subcommand")) {
      return name(command) + " needs one of: " + listed(command);
    }
    return e.getArgSpec() == null
        ? message.replaceFirst("^Error: ", "")
        : value(e.getArgSpec(), message);
  }

  /** What a value should have been, in plain words for what people mistype most. */
  private static String value(ArgSpec arg, String message) {
    String name = arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    if (arg.typeInfo().isMap()) {
      return name + " must be " + arg.paramLabel() + given(message);
    }
    Class<?> type = arg.isMultiValue() ? String.class : arg.type();
    if (WHOLE.contains(type)) {
      return name + " must be a whole number" + given(message);
    }
    return FRACTIONAL.contains(type)
        ? name + " must be a number" + given(message)
        : message.replaceFirst("^Error: ", "");
  }

  /** What was typed, which picocli has in its message alone. */
  private static String given(String message) {
    Matcher typed = TYPED.matcher(message);
    return typed.find() ? ", was '" + typed.group(1) + "'" : "";
  }

  private static String unknown(String word, CommandLine command) {
    if (word.startsWith("-") && word.length() > 1) {
      String option = word.replaceFirst("=.*", "");
      Set<String> known = command.getCommandSpec().optionsMap().keySet();
      return option + " is not an option of " + name(command) + Spelling.hint(option, known);
    }
    if (command.getSubcommands().isEmpty()) {
      return "'" + word + "' is not expected here";
    }
    String hint = Spelling.hint(word, command.getSubcommands().keySet());
    String of = command.getParent() == null ? "" : " of " + name(command);
    return "'" + word + "' is not a command" + of
        + (hint.isEmpty() ? "; there are: " + listed(command) : hint);
  }

  private static String listed(CommandLine command) {
    return String.join(", ", command.getSubcommands().keySet());
  }

  private static String missing(List<ArgSpec> missing, CommandLine command) {
    if (missing.getFirst() instanceof OptionSpec option && !option.required()) {
      return option.longestName() + " must be followed by " + option.paramLabel();
    }
    String names = missing.stream()
        .map(arg -> arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel())
        .collect(Collectors.joining(" and "));
    return name(command) + " needs " + names;
  }
}
