package io.sluice.cli;

/** Every command that speaks to a server, and the one for the shell. */
public final class ClientCommands {
  private ClientCommands() {}

  public static Program addTo(Program program, Console console) {
    return program
        .add(Group.JOBS, new EnqueueCommand(console))
        .add(Group.JOBS, new JobsCommand(console))
        .add(Group.JOBS, new BatchesCommand(console))
        .add(Group.JOBS, new DlqCommand(console))
        .add(Group.JOBS, new LeasesCommand(console))
        .add(Group.PLACES, new QueuesCommand(console))
        .add(Group.PLACES, new UrlGroupsCommand(console))
        .add(Group.PLACES, new LimitsCommand(console))
        .add(Group.PLACES, new BreakersCommand(console))
        .add(Group.WATCH, new StatsCommand(console))
        .add(Group.WATCH, new HealthCommand(console))
        .add(Group.WATCH, new WorkersCommand(console))
        .add(Group.WATCH, new MetricsCommand(console))
        .add(Group.ACCESS, new TenantsCommand(console))
        .add(Group.ACCESS, new KeysCommand(console))
        .add(Group.ACCESS, new AuditCommand(console))
        .add(Group.CARE, new MasterKeyCommand(console))
        .add(Group.SHELL, new OpenApiCommand(console))
        .add(Group.SHELL, new CompletionCommand(console, program::ready));
  }
}
