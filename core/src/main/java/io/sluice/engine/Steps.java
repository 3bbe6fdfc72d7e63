package io.sluice.engine;

import io.sluice.Names;
import io.sluice.SluiceException;
import io.sluice.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The steps of a batch by their names: each name once, all of them known, and no circle among them. */
record Steps(Map<String, UUID> ids) {
  /** So many steps of a circle are named; of a longer one the first of these and the last. */
  private static final int SHOWN = 20;

  private static final String WAITS = " waits for ";
  private static final String NEXT = ", which waits for ";

  static Steps of(List<Step> steps, Intake intake) {
    Map<String, Integer> places = places(steps);
    refuseUnknownAndTwice(steps, places);
    refuseCircles(steps, places);
    Map<String, UUID> ids = HashMap.newHashMap(steps.size());
    steps.forEach(step -> ids.put(step.name(), intake.nextId()));
    return new Steps(ids);
  }

  private static Map<String, Integer> places(List<Step> steps) {
    Map<String, Integer> places = LinkedHashMap.newLinkedHashMap(steps.size());
    for (int i = 0; i < steps.size(); i++) {
      String field = Plan.place(i) + ".name";
      String name = Names.checkStep(field, steps.get(i).name());
      Integer first = places.putIfAbsent(name, i);
      if (first != null) {
        throw SluiceException.invalid(
            field, "must be used once: '" + name + "' is that of " + Plan.place(first) + " too");
      }
    }
    return places;
  }

  private static void refuseUnknownAndTwice(List<Step> steps, Map<String, Integer> places) {
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Set<String> seen = new HashSet<>();
      for (String name : step.after()) {
        if (!places.containsKey(name)) {
          throw unknown(name, step).in(Plan.place(i));
        }
        if (!seen.add(name)) {
          throw SluiceException.invalid(
              Plan.place(i) + ".after", "must name each once, and names '" + name + "' twice");
        }
      }
    }
  }

  static SluiceException unknown(String name, Step step) {
    return SluiceException.invalid(
        "after",
        "of step '" + step.name() + "' names '" + name + "', and the batch has no such step");
  }

  /** Takes away, again and again, what waits for nothing that is left; what stays goes in circles. */
  private static void refuseCircles(List<Step> steps, Map<String, Integer> places) {
    int[] waits = new int[steps.size()];
    List<List<Integer>> next = new ArrayList<>();
    steps.forEach(step -> next.add(new ArrayList<>()));
    for (int i = 0; i < steps.size(); i++) {
      for (String name : steps.get(i).after()) {
        next.get(places.getOrDefault(name, i)).add(i);
        waits[i]++;
      }
    }
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < waits.length; i++) {
      if (waits[i] == 0) {
        free.add(i);
      }
    }
    int left = waits.length;
    for (Integer step = free.poll(); step != null; step = free.poll()) {
      left--;
      for (int successor : next.get(step)) {
        if (--waits[successor] == 0) {
          free.add(successor);
        }
      }
    }
    if (left > 0) {
      throw SluiceException.invalid(
          "jobs", "must not wait for each other in a circle: " + circle(steps, places, waits));
    }
  }

  /** Goes back from a step that is left, over others that are left, until one comes again. */
  private static String circle(List<Step> steps, Map<String, Integer> places, int[] waits) {
    int start = 0;
    while (waits[start] == 0) {
      start++;
    }
    Map<Integer, Integer> met = new HashMap<>();
    List<Integer> way = new ArrayList<>();
    int at = start;
    while (met.putIfAbsent(at, way.size()) == null) {
      way.add(at);
      at = steps.get(at).after().stream()
          .map(name -> places.getOrDefault(name, -1))
          .filter(place -> place >= 0 && waits[place] > 0)
          .findFirst()
          .orElseThrow();
    }
    List<Integer> circle = new ArrayList<>(way.subList(met.getOrDefault(at, 0), way.size()));
    Collections.rotate(circle, -circle.indexOf(Collections.min(circle)));
    circle.add(circle.getFirst());
    return path(circle.stream().map(place -> steps.get(place).name()).toList());
  }

  private static String path(List<String> names) {
    String first = names.getFirst() + WAITS;
    if (names.size() <= SHOWN) {
      return first + String.join(NEXT, names.subList(1, names.size()));
    }
    int left = names.size() - SHOWN;
    return first + String.join(NEXT, names.subList(1, SHOWN - 1)) + ", … " + left + " more …" + NEXT
        + names.getLast();
  }
}
