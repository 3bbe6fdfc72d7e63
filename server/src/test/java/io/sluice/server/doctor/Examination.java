package io.sluice.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Patients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Looks at a set-up, and at what is said of it. */
final class Examination {
  private final List<Finding> findings;

  private Examination(List<Finding> findings) {
    this.findings = findings;
  }

  static Examination of(Patient patient) {
    return new Examination(Doctor.examine(patient));
  }

  static Examination of(Collection<String> flags, String... more) {
    List<String> all = new ArrayList<>(flags);
    all.addAll(Arrays.asList(more));
    return of(Patients.of(all.toArray(String[]::new)));
  }

  /** Fails unless this fault was found, in these words. */
  Examination found(Fault fault, String sentence) {
    assertThat(findings).contains(finding(fault, sentence));
    return this;
  }

  /** Fails unless this fault was found, and no problem beside it. */
  Examination foundAlone(Fault fault, String sentence) {
    assertThat(trouble()).containsExactly(finding(fault, sentence));
    return this;
  }

  private static Finding finding(Fault fault, String sentence) {
    return fault.level == Fault.Level.PROBLEM
        ? new Finding.Problem(fault.topic.word(), sentence, fault.mend)
        : new Finding.Warning(fault.topic.word(), sentence, fault.mend);
  }

  /** All that is not as it should be. */
  List<Finding> trouble() {
    return findings.stream()
        .filter(f -> f instanceof Finding.Problem || f instanceof Finding.Warning)
        .toList();
  }

  List<Finding> all() {
    return findings;
  }

  /** What is said of this fault, whatever it is. */
  String sentence(Fault fault) {
    return trouble().stream()
        .filter(f -> String.valueOf(f.mend()).equals(fault.mend))
        .map(Finding::says)
        .findFirst()
        .orElseThrow(() -> new AssertionError(fault + " is not among " + findings));
  }
}
