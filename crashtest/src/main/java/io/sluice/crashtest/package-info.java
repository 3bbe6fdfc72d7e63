/**
 * A crash test that anybody can run again: producers, workers and the database are processes of their
 * own, a seed decides when which of them is killed, paused or cut off, each writes down what it does,
 * and a checker judges the history together with what the tables hold at the end.
 *
 * <p>{@code Director} starts the processes and carries out a {@code Schedule}. {@code ProducerProcess}
 * and {@code WorkerProcess} are what it kills; {@code Proxy} is how it harms their connections. All of
 * them write {@code Entry} lines into a {@code Journal}; {@code Checker} is a pure function of those and
 * of the {@code Row}s of the tables.
 */
@NullMarked
package io.sluice.crashtest;

import org.jspecify.annotations.NullMarked;
