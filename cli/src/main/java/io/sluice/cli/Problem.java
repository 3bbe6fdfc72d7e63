package io.sluice.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URLDecoder;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says why a server refused or could not be asked, and what to do about it. */
final class Problem {
  private final Target.Found address;
  private final Target.@Nullable Found key;

  Problem(Target.Found address, Target.@Nullable Found key) {
    this.address = address;
    this.key = key;
  }

  /** No answer came: UNREACHABLE where nothing was asked, FAILED where it may have been. */
  CommandException unreachable(IOException e) {
    String where = address.value() + " (from " + address.from() + ")";
    if (has(e, UnresolvedAddressException.class)) {
      return unreachable("nobody knows the host of " + where, "check the name");
    }
    if (says(e, "status line") && address.value().startsWith("http:")) {
      return unreachable(
          "the server at " + where + " does not speak plain http",
          "it may speak https: use https:" + address.value().substring("http:".length()));
    }
    if (has(e, SSLException.class)) {
      return insecure(e, where);
    }
    if (e instanceof HttpConnectTimeoutException) {
      return unreachable(
          "no connection to " + where + " in time",
          "is the address right, and no firewall between?");
    }
    if (e instanceof ConnectException) {
      return unreachable(
          "nothing listens at " + where,
          "start one with 'sluice server', or say where it is with --server or SLUICE_SERVER");
    }
    String what = e instanceof HttpTimeoutException
        ? "no answer from " + where + " in time"
        : "the connection to " + where + " broke: " + e.getMessage();
    return new CommandException(
        Exit.FAILED, List.of(what, "whether the server did what was asked is not known"));
  }

  private CommandException insecure(IOException e, String where) {
    if (says(e, "unrecognized ssl message")) {
      return unreachable(
          "the server at " + where + " speaks plain http",
          "use http:" + address.value().substring("https:".length()));
    }
    if (says(e, "pkix")) {
      return unreachable(
          "the certificate of " + where + " is from nobody who is trusted here",
          "--ca FILE trusts the certificates of a file, such as the server's own");
    }
    return unreachable(
        "no secure connection to " + where + ": " + e.getMessage(),
        "--ca FILE trusts a certificate of your own; it must be for the name in the address");
  }

  private static boolean says(Throwable e, String words) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at.getMessage() != null && at.getMessage().toLowerCase(Locale.ROOT).contains(words)) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(Throwable e, Class<? extends Throwable> type) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (type.isInstance(at)) {
        return true;
      }
    }
    return false;
  }

  private static CommandException unreachable(String what, String todo) {
    return new CommandException(Exit.UNREACHABLE, List.of(what, todo));
  }

  /** An answer came, and it is no. */
  CommandException refused(Rest.Reply reply) {
    JsonNode body = reply.json();
    if (!body.has("code")) {
      return new CommandException(
          Exit.FAILED,
          List.of(
              address.value() + " answers with status " + reply.status()
                  + ", and not as Sluice does",
              "is it the address of a Sluice server? It is from " + address.from()));
    }
    String detail = byCommand(Json.text(body, "detail"));
    return switch (reply.status()) {
      case 401 -> new CommandException(Exit.DENIED, unauthorized(detail));
      case 403 -> new CommandException(Exit.DENIED, forbidden(detail));
      case 404 -> new CommandException(Exit.NOT_FOUND, which(detail, reply.path()));
      case 409 -> new CommandException(Exit.FAILED, detail);
      case 422 -> new CommandException(Exit.FAILED, fields(body, detail));
      case 429, 503 -> new CommandException(Exit.BUSY, List.of(detail, later(reply)));
      default -> new CommandException(Exit.FAILED, detail + " (status " + reply.status() + ")");
    };
  }

  /** What the server advises, in the words of commands. */
  private static String byCommand(String detail) {
    return detail
        .replaceAll("\\??force=true", "--force")
        .replace("make it with POST /v1/queues", "make it with 'sluice queues create'");
  }

  /** The detail, with the name of the thing where the server leaves it out. */
  private static String which(String detail, String path) {
    String[] segments = path.replaceFirst("\\?.*", "").split("/", -1);
    if (!detail.contains("no such") || segments.length < 4) {
      return detail;
    }
    String name = detail.contains("key") ? segments[segments.length - 1] : segments[3];
    return detail + ": " + URLDecoder.decode(name, StandardCharsets.UTF_8);
  }

  private List<String> unauthorized(String detail) {
    return key == null
        ? List.of(
            "the server wants a key, and there is none",
            "give --key or SLUICE_KEY, or --data with the folder of a server on this machine")
        : List.of(
            "the server does not take the key from " + key.from() + ": " + detail,
            "'sluice keys list' with an admin key shows which keys are valid");
  }

  /** With what to do where the role is at fault, and not where the detail tells another reason. */
  private List<String> forbidden(String detail) {
    if (!detail.contains("role") && !detail.contains("admin")) {
      return List.of(detail);
    }
    String from = key == null ? "nowhere" : key.from();
    return List.of(
        detail, "the key from " + from + " may not do this: use one with a role that may");
  }

  /** A line for each field at fault. */
  private static List<String> fields(JsonNode body, String detail) {
    List<String> lines = new ArrayList<>();
    body.path("errors")
        .valueStream()
        .forEach(error ->
            lines.add((Json.text(error, "field") + " " + Json.text(error, "message")).strip()));
    return lines.isEmpty() ? List.of(detail) : lines;
  }

  private static String later(Rest.Reply reply) {
    return reply
        .retryAfter()
        .map(seconds -> "try again in " + seconds + "s")
        .orElse("try again later");
  }
}
