package io.sluice.server.doctor;

import io.sluice.server.doctor.Fault.Topic;
import java.util.ArrayList;
import java.util.List;

/** All checks, in the order in which one thing stands on another. */
public final class Doctor {
  /** One look at one thing. */
  interface Check {
    List<Finding> look(Patient patient);
  }

  private static final List<Check> FIRST = List.of(MachineChecks::jdk, MachineChecks::settings);

  private static final List<Check> THEN = List.of(
      MachineChecks::port,
      MachineChecks::descriptors,
      FolderChecks::writable,
      FolderChecks::keyFiles,
      FolderChecks::postgresUser,
      CertificateCheck::look,
      IssuerCheck::look,
      DatabaseVisit::look);

  private Doctor() {}

  /** What each check found, in order. */
  public static List<Finding> examine(Patient patient) {
    List<Finding> findings = new ArrayList<>();
    FIRST.forEach(check -> findings.addAll(check.look(patient)));
    if (patient.settings().problems().isEmpty()) {
      THEN.forEach(check -> findings.addAll(check.look(patient)));
    } else {
      findings.add(
          Topic.DATABASE.skipped("Not looked at, like all else, until the settings are right."));
    }
    return List.copyOf(findings);
  }
}
