/**
 * The engine: what happens to a job between enqueue and its end.
 *
 * <p>{@link io.sluice.engine.Engine#enqueue} checks and encodes a request ({@code Intake}) and inserts
 * it: the store answers after its durable commit. Work that is not due waits until the {@code
 * Promoter} makes it ready, and what waits for other jobs until the store ends the last of those. A batch
 * is a {@code Plan} first, in which names have become ids.
 *
 * <p>The {@code ClaimLoop} looks at the lanes that have ready work ({@code LaneBook}). The {@code Gate}
 * puts those aside that may not run ({@code HeldPlaces}), by {@code SpentLimits} and the breakers of {@code
 * Circuits}, and deals its room to the others as {@code Turns} say; one atomic step of the store hands out a batch of
 * claims, within all limits. The {@code Dispatcher} starts each on a virtual thread as slots become
 * free, and the {@code Runner} decodes, checks and calls the handler.
 *
 * <p>The handler's outcome goes to the {@code Judge}, a pure function of outcome, policy and attempt
 * that says what the store shall write. The {@code Finisher} writes verdicts many at a time. A verdict
 * acts only through the claim of its attempt: if that is gone nothing changes.
 *
 * <p>Beside this path, each a small class whose duty a {@code Loop} repeats: {@code Heartbeats} keep
 * the lease; the {@code Timekeeper} interrupts what is out of time or has lost its lease, without
 * asking the store; the {@code Rescuer} takes jobs back from lost workers, with {@code Blame} deciding
 * who gets a strike, and for as long as {@code Patience} says a suspect then has the engine to itself,
 * which {@code Solitude} writes down; the {@code Reaper} lets go of what has had its time; {@code Notes} keep what
 * handlers say; {@code Watch} counts.
 *
 * <p>{@code Attempt} is one claimed job in this engine's hands. Its end is decided once, by whoever
 * comes first: handler, clock, cancel, lost lease, shutdown.
 */
@NullMarked
package io.sluice.engine;

import org.jspecify.annotations.NullMarked;
