package io.sluice.server.config;

import io.sluice.cli.Spelling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The command line of {@code sluice server}, made from the table of keys. */
final class Flags {
  static final String HELP = "--help";

  private Flags() {}

  /** Gives a command a flag for each key. */
  static CommandSpec addTo(CommandSpec command) {
    command
        .usageMessage()
        .footer(
            "",
            "Each is also a key of the config file (port: 7070) and a variable (SLUICE_PORT).",
            "Flags go before variables, these before the file, and that before the profile.")
        .sortOptions(false)
        .width(100);
    command.parser().collectErrors(true).unmatchedArgumentsAllowed(true);
    Map<Key.Section, ArgGroupSpec.Builder> groups = new EnumMap<>(Key.Section.class);
    for (Key key : Key.values()) {
      groups.computeIfAbsent(key.section, Flags::group).addArg(option(key));
    }
    groups.values().forEach(group -> command.addArgGroup(group.build()));
    command.addOption(
        OptionSpec.builder("-h", HELP).usageHelp(true).description("shows this").build());
    return command;
  }

  private static ArgGroupSpec.Builder group(Key.Section section) {
    return ArgGroupSpec.builder()
        .heading("%n" + section.title + "%n")
        .order(List.of(Key.Section.values()).indexOf(section))
        .validate(false);
  }

  private static OptionSpec option(Key key) {
    OptionSpec.Builder option = OptionSpec.builder(key.flag())
        .description(description(key))
        .order(List.of(Key.values()).indexOf(key));
    if (key.isSwitch()) {
      return option.type(boolean.class).arity("0").build();
    }
    option.paramLabel(key.takes).arity("1");
    return key.isList()
        ? option.type(List.class).auxiliaryTypes(String.class).splitRegex(",").build()
        : option.type(String.class).build();
  }

  private static String description(Key key) {
    boolean plain = key.isSwitch() || key == Key.DATABASE_URL || key.otherwise().isEmpty();
    return plain ? key.about : key.about + " (" + key.otherwise() + ")";
  }

  /** What was given, and what is wrong with it. */
  static List<Given> read(ParseResult parsed, List<String> problems) {
    parsed.errors().forEach(e -> problems.add(words(e)));
    unmatched(parsed.unmatched(), problems);
    List<Given> given = new ArrayList<>();
    for (Key key : Key.values()) {
      if (parsed.hasMatchedOption(key.flag())) {
        if (!key.isList() && parsed.matchedOption(key.flag()).stringValues().size() > 1) {
          problems.add(key.flag() + " is given twice");
        }
        given.add(new Given(key, values(key, parsed), Given.Source.FLAG, key.flag()));
      }
    }
    return given;
  }

  private static List<String> values(Key key, ParseResult parsed) {
    Object value = parsed.matchedOptionValue(key.flag(), "");
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : List.of(value.toString());
  }

  /** An unknown flag may have a value behind it, which is then no mistake of its own. */
  private static void unmatched(List<String> words, List<String> problems) {
    boolean behindFlag = false;
    for (String word : words) {
      if (word.startsWith("-")) {
        int equals = word.indexOf('=');
        String flag = equals < 0 ? word : word.substring(0, equals);
        problems.add(flag + " is not a flag" + hint(flag));
        behindFlag = equals < 0;
      } else {
        if (!behindFlag) {
          problems.add("'" + word + "' is not expected here");
        }
        behindFlag = false;
      }
    }
  }

  private static String words(Exception e) {
    return e instanceof CommandLine.MissingParameterException missing
            && missing.getMissing().getFirst() instanceof OptionSpec option
        ? option.longestName() + " must be followed by " + option.paramLabel()
        : String.valueOf(e.getMessage());
  }

  private static String hint(String flag) {
    return Spelling.hint(flag, Arrays.stream(Key.values()).map(Key::flag).toList());
  }
}
