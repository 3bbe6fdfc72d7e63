/**
 * Delivery of jobs that are HTTP requests.
 *
 * <p>A {@link io.sluice.http.HttpCall} is the payload of such a job, a {@link io.sluice.http.Group}
 * what many of them share. {@link io.sluice.http.Deliverer} is the handler: it finds the group, checks
 * the call, puts the request together, sends it and says what the answer means. Every request goes
 * through a {@link io.sluice.http.GuardedClient}, which looks at the address it is about to connect to
 * with an {@link io.sluice.http.AddressGuard}, holds the whole exchange to one deadline and reads no
 * more of an answer than is kept. {@link io.sluice.http.Callbacks} tells others how a job ended, and
 * {@link io.sluice.http.WebhookVerifier} is for receivers.
 */
@org.jspecify.annotations.NullMarked
package io.sluice.http;
