package io.sluice.server.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.neighbours.PhaseFigures.Deliveries;
import io.sluice.server.neighbours.PhaseFigures.Memory;
import io.sluice.server.neighbours.PhaseFigures.Times;
import io.sluice.server.neighbours.ServerWatch.MemorySample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeighboursReportTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  @TempDir
  Path folder;

  /** A hundred deliveries in a second, which take 1, 2, … 100 times so many milliseconds. */
  private static List<Offer> delivered(String phase, long from, int millis) {
    List<Offer> offers = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      Offer offer = new Offer(phase, from + i * 10 * MILLI);
      offer.accept();
      offer.receive(offer.at() + i * millis * MILLI);
      offers.add(offer);
    }
    return offers;
  }

  private static PhaseFigures figures(String phase, List<Offer> offers, MemorySample sample) {
    return new PhaseFigures(
        phase, Deliveries.of(offers), Times.of(offers), Memory.of(List.of(sample)), 1, Map.of());
  }

  @Test
  void deliveries_tellLostFromRefused() {
    Offer lost = new Offer("p", 1);
    lost.accept();
    Offer refused = new Offer("p", 1);
    refused.refuse("503");
    Offer underWay = new Offer("p", 1);
    Offer delivered = new Offer("p", 1);
    delivered.accept();
    delivered.receive(2);

    assertThat(Deliveries.of(List.of(lost, refused, underWay, delivered)))
        .isEqualTo(new Deliveries(4, 1, 1, 1));
  }

  @Test
  void times_areThoseOfTheFirstReceipt() {
    List<Offer> offers = delivered("p", SECOND, 1);
    offers.forEach(offer -> offer.receive(offer.at() + 5 * SECOND));

    assertThat(Times.of(offers)).isEqualTo(new Times(50, 99, 100));
  }

  @Test
  void report_judgesEachPhaseByTheFirst() throws IOException {
    List<Offer> alone = delivered("alone", SECOND, 1);
    List<Offer> slower = delivered("slower", 10 * SECOND, 4);
    List<Offer> slow = delivered("slow", 20 * SECOND, 5);
    List<MemorySample> samples = List.of(
        new MemorySample(2 * SECOND, "alone", 200, 100),
        new MemorySample(11 * SECOND, "slower", 300, Double.NaN),
        new MemorySample(21 * SECOND, "slow", 400, 120));
    List<Offer> all = new ArrayList<>(alone);
    all.addAll(slower);
    all.addAll(slow);
    NeighboursReport report = new NeighboursReport(
        List.of(
            figures("alone", alone, samples.get(0)),
            figures("slower", slower, samples.get(1)),
            figures("slow", slow, samples.get(2))),
        samples,
        all);
    report.write(folder);

    assertThat(report.table())
        .contains(
            "| alone | 100 | 100 | 0 | 0 | 50.0 | 99.0 | 100.0 | 200 | 100 | 1 | 448: within |")
        .contains("| 396.0 | 400.0 | 300 | NaN | 1 | 448: within |")
        .contains("| 495.0 | 500.0 | 400 | 120 | 1 | 448: OVER |");
    assertThat(Files.readString(folder.resolve("samples.csv")))
        .contains("0.0,alone,200.0,100.0,50.0,99.0,100.0")
        .contains("19.0,slow,400.0,120.0,250.0,495.0,500.0");
    assertThat(Files.readString(folder.resolve("neighbours.svg")))
        .startsWith("<svg")
        .contains(">slower</text>")
        .endsWith("</svg>\n");
  }
}
