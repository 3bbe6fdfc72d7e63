package io.sluice.examples;

import static io.sluice.Priority.HIGH;

import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.postgres.PostgresStore;
import java.nio.file.Path;

public class QuickStart {
  record SendEmail(String to, String subject) {}

  static void send(SendEmail mail) {
    System.out.println("sent '" + mail.subject() + "' to " + mail.to());
  }

  public static void main(String[] args) throws Exception {
    try (var postgres = EmbeddedPostgres.start(Path.of("sluice-data"));
        var sluice = Sluice.builder(PostgresStore.connect(postgres.urlWithPassword()))
            .handler("email.send", SendEmail.class, (job, ctx) -> send(job.payload()))
            .build()
            .start()) {
      var hi = Jobs.of("email.send", new SendEmail("ada@example.com", "Hi"));
      var job = sluice.enqueue(hi.priority(HIGH).idempotencyKey("order-42"));
      System.out.println("job " + job.id() + ", known before: " + job.duplicate());
      System.in.read(); // Enter ends it
    }
  }
}
