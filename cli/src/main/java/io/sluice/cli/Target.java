package io.sluice.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The server that a command speaks to, and the key that it shows: from the flags, else from the variables,
 * else from the data folder.
 */
final class Target {
  static final String DEFAULT_ADDRESS = "http://127.0.0.1:7070";

  private static final String DEFAULT_FOLDER = "sluice-data";

  @ArgGroup(validate = false, exclusive = false, order = 90, heading = "%nServer%n")
  private Flags flags = new Flags();

  /** The flags that every command has. */
  static final class Flags {
    @Option(
        names = "--server",
        order = 91,
        paramLabel = "URL",
        description = "address (SLUICE_SERVER, or that of the data folder; without one "
            + DEFAULT_ADDRESS + ")")
    private @Nullable String server;

    @Option(
        names = "--key",
        order = 92,
        paramLabel = "KEY|@FILE",
        description =
            "API key (SLUICE_KEY, a file by SLUICE_KEY_FILE, or admin.key of the data folder)")
    private @Nullable String key;

    @Option(
        names = "--tenant",
        order = 93,
        paramLabel = "NAME",
        description = "tenant to act for, with an admin key (SLUICE_TENANT)")
    private @Nullable String tenant;

    @Option(
        names = "--data",
        order = 94,
        paramLabel = "FOLDER",
        description = "data folder of a server on this machine (SLUICE_DATA, or ./sluice-data)")
    private @Nullable Path data;

    @Option(
        names = "--ca",
        order = 95,
        paramLabel = "FILE",
        description = "certificates to trust, in PEM, for https (SLUICE_CA)")
    private @Nullable Path ca;
  }

  /** A value and where it is from, for errors. */
  record Found(String value, String from) {
    /** True for an address of this machine, which has many names; 127.example.com is none of them. */
    boolean isHere() {
      String host = URI.create(value.toLowerCase(Locale.ROOT)).getHost();
      return host.equals("localhost")
          || host.matches("127([.][0-9]{1,3}){3}")
          || host.equals("[::1]");
    }
  }

  /** The way to the server. */
  Rest open(Console console) {
    Found address = uri(address(console));
    Found key = key(console, address);
    if (key != null) {
      requireChosen(console, address, key);
      warnOfPlainHttp(console, address, key);
    }
    return new Rest(address, key, tenant(console), trust(console));
  }

  /**
   * A key goes to an address that its user chose. The address in a folder that merely lies where the user
   * stands may be somebody else's word: in a shared folder, or in a repository that was cloned.
   */
  private void requireChosen(Console console, Found address, Found key) {
    Path folder = folder(console);
    Path file = folder.resolve(Console.ADDRESS_FILE);
    boolean fromFolder = address.from.equals(file.toString());
    if (fromFolder && !isNamed(console) && !(address.isHere() && FileOwner.isOurs(folder, file))) {
      throw new CommandException(
          Exit.MISUSED,
          List.of(
              "the key of " + key.from + " is not sent to " + address.value + ", which only "
                  + address.from + " names",
              "give --server " + address.value + " if that is the server you mean, or --data "
                  + folder));
    }
  }

  private static void warnOfPlainHttp(Console console, Found address, Found key) {
    if (!address.isHere() && address.value.regionMatches(true, 0, "http:", 0, 5)) {
      console.say("warning: the key of " + key.from + " goes to " + address.value
          + " unencrypted; use https");
    }
  }

  private Found address(Console console) {
    if (flags.server != null) {
      return new Found(flags.server, "--server");
    }
    String variable = console.variables().get("SLUICE_SERVER");
    if (variable != null && !variable.isBlank()) {
      return new Found(variable, "SLUICE_SERVER");
    }
    Path folder = folder(console);
    Optional<Found> noted = noted(folder);
    if (noted.isEmpty() && isNamed(console)) {
      throw new CommandException(
          Exit.UNREACHABLE,
          List.of(
              "no server runs on " + folder,
              "start it with 'sluice server --data " + folder + "', or give --server"));
    }
    return noted.orElse(new Found(DEFAULT_ADDRESS, "the default"));
  }

  /** The address that the server of a folder left in it. */
  private static Optional<Found> noted(Path folder) {
    Path file = folder.resolve(Console.ADDRESS_FILE);
    return read(file).map(address -> new Found(address, file.toString()));
  }

  private static Found uri(Found address) {
    String value = address.value.strip().replaceFirst("/+$", "");
    String full = value.contains("://") ? value : "http://" + value;
    URI uri;
    try {
      uri = URI.create(full);
    } catch (IllegalArgumentException e) {
      throw wrongAddress(address);
    }
    if (uri.getHost() == null || !full.matches("(?i)https?://.*")) {
      throw wrongAddress(address);
    }
    return new Found(full, address.from);
  }

  private static CommandException wrongAddress(Found address) {
    return new CommandException(
        Exit.MISUSED,
        address.from + " must be an address such as " + DEFAULT_ADDRESS + ", was '" + address.value
            + "'");
  }

  @Nullable
  Found key(Console console, Found address) {
    if (flags.key != null) {
      return new Found(
          flags.key.startsWith("@") ? keyFile("--key", flags.key.substring(1)) : flags.key,
          "--key");
    }
    String variable = console.variables().get("SLUICE_KEY");
    if (variable != null && !variable.isBlank()) {
      return new Found(variable.strip(), "SLUICE_KEY");
    }
    String file = console.variables().get("SLUICE_KEY_FILE");
    if (file != null && !file.isBlank()) {
      return new Found(keyFile("SLUICE_KEY_FILE", file), "SLUICE_KEY_FILE");
    }
    Path folder = folder(console);
    // The key opens the server of its folder, so no other server gets to see it, unless a person
    // put the two together.
    boolean together = flags.server != null && flags.data != null;
    if (!together && noted(folder).filter(noted -> isSame(noted, address)).isEmpty()) {
      return null;
    }
    Path kept = folder.resolve("admin.key");
    return read(kept).map(key -> new Found(key, kept.toString())).orElse(null);
  }

  /** True for the same place, where loopback has many names. */
  private static boolean isSame(Found one, Found other) {
    return place(uri(one)).equals(place(uri(other)));
  }

  private static String place(Found address) {
    URI uri = URI.create(address.value.toLowerCase(Locale.ROOT));
    int usual = uri.getScheme().equals("https") ? 443 : 80;
    return uri.getScheme() + " " + (address.isHere() ? "here" : uri.getHost()) + " "
        + (uri.getPort() < 0 ? usual : uri.getPort());
  }

  private static String keyFile(String from, String name) {
    return read(Path.of(name))
        .orElseThrow(() -> new CommandException(
            Exit.MISUSED, from + " names the file " + name + ", which cannot be read"));
  }

  private @Nullable String tenant(Console console) {
    return flags.tenant == null ? console.variables().get("SLUICE_TENANT") : flags.tenant;
  }

  private @Nullable Path trust(Console console) {
    String variable = console.variables().get("SLUICE_CA");
    return flags.ca != null || variable == null ? flags.ca : Path.of(variable);
  }

  private Path folder(Console console) {
    return flags.data != null ? flags.data : Path.of(variable(console).orElse(DEFAULT_FOLDER));
  }

  private boolean isNamed(Console console) {
    return flags.data != null || variable(console).isPresent();
  }

  private static Optional<String> variable(Console console) {
    return Optional.ofNullable(console.variables().get("SLUICE_DATA"))
        .filter(folder -> !folder.isBlank());
  }

  /** The text of a file; nothing where there is none, or none that this user may read. */
  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip())
          .filter(text -> !text.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
