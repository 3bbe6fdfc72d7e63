package io.sluice.server.doctor;

import io.sluice.server.config.Config;
import io.sluice.server.doctor.Fault.Topic;
import io.sluice.server.listener.ConnectionBounds;
import io.sluice.server.rest.PortOwner;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** The JVM, the settings, the port to listen on, and how many connections it may have. */
final class MachineChecks {
  private static final int OLDEST_JAVA = 21;

  private MachineChecks() {}

  static List<Finding> jdk(Patient patient) {
    Runtime.Version version = patient.needs().java();
    return List.of(
        version.feature() < OLDEST_JAVA
            ? Fault.JDK_TOO_OLD.found(version)
            : Topic.JDK.ok("Java " + version + "."));
  }

  static List<Finding> settings(Patient patient) {
    List<Finding> findings = new ArrayList<>();
    if (patient.problems().isEmpty()) {
      findings.add(Topic.SETTINGS.ok("All settings can be used."));
    }
    patient.problems().forEach(p -> findings.add(Fault.SETTING_WRONG.found(sentence(p))));
    patient
        .settings()
        .warnings()
        .forEach(w -> findings.add(Fault.SETTING_IGNORED.found(sentence(w))));
    return findings;
  }

  private static String sentence(String words) {
    return words.endsWith("?") ? words : words + ".";
  }

  static List<Finding> port(Patient patient) {
    Config.Listening listening = patient.config().listening();
    InetSocketAddress address = new InetSocketAddress(listening.host(), listening.port());
    if (address.isUnresolved()) {
      return List.of(Fault.HOST_NOT_HERE.found(listening.host(), "there is no such address"));
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(address);
      return List.of(
          Topic.PORT.ok("Port " + listening.port() + " on " + listening.host() + " is free."));
    } catch (IOException e) {
      return List.of(taken(listening, e));
    }
  }

  private static Finding taken(Config.Listening listening, IOException why) {
    if (Greeting.isSluice(listening)) {
      return Topic.PORT.ok("A Sluice serves on port " + listening.port() + ".");
    }
    boolean inUse = String.valueOf(why.getMessage()).contains("in use");
    return inUse
        ? Fault.PORT_TAKEN.found(
            listening.port(), PortOwner.find(listening.port()).orElse("another program"))
        : Fault.HOST_NOT_HERE.found(listening.host(), String.valueOf(why.getMessage()));
  }

  static List<Finding> descriptors(Patient patient) {
    if (patient.needs().descriptors().isEmpty()) {
      return List.of(Topic.PORT.skipped("The system does not say how many files may be open."));
    }
    long limit = patient.needs().descriptors().getAsLong();
    ConnectionBounds asked = patient.config().listening().bounds();
    int room = asked.within(limit, patient.config().work().slots()).connections();
    return List.of(
        room < asked.connections()
            ? Fault.DESCRIPTORS_FEW.found(limit, room, asked.connections())
            : Topic.PORT.ok("A process may have " + limit + " files open, enough for " + room
                + " connections."));
  }
}
