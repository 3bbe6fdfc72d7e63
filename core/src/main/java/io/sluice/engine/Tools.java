package io.sluice.engine;

import io.sluice.Codec;
import io.sluice.ErrorClassifier;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What an engine takes from outside itself: JSON, judgement, time and chance. */
public record Tools(
    Codec codec,
    ErrorClassifier classifier,
    InstantSource clock,
    LongSupplier nanoTime,
    RandomGenerator random) {}
