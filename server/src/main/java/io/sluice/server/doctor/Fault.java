package io.sluice.server.doctor;

import java.util.Locale;

/** Everything that can be wrong, each with what is said of it and how it is mended. */
enum Fault {
  JDK_TOO_OLD(
      Topic.JDK,
      Level.PROBLEM,
      "This is Java %s, and Sluice needs 21 or newer.",
      "Install a JDK 21 or newer; ./sluice finds it by itself."),

  SETTING_WRONG(
      Topic.SETTINGS,
      Level.PROBLEM,
      "%s",
      "Correct it; 'sluice config reference' explains every setting."),

  SETTING_IGNORED(
      Topic.SETTINGS,
      Level.WARNING,
      "%s",
      "Do what it says; a variable that is not a setting is taken away, or its name corrected."),

  PORT_TAKEN(
      Topic.PORT,
      Level.PROBLEM,
      "Port %s is taken by %s, which is not a Sluice.",
      "Stop that program, or give another port."),
  HOST_NOT_HERE(
      Topic.PORT,
      Level.PROBLEM,
      "Nobody can listen on %s here: %s.",
      "Give as host an address of this machine, or 0.0.0.0 for all of them."),

  DESCRIPTORS_FEW(
      Topic.PORT,
      Level.WARNING,
      "A process may have %s files open here, which leaves room for %s connections, not the %s of"
          + " max-connections.",
      "Raise the limit (ulimit -n, LimitNOFILE= of systemd), or lower max-connections."),

  FOLDER_CLOSED(
      Topic.DATA,
      Level.PROBLEM,
      "Nothing can be written to the data folder %s: %s.",
      "Give the folder to the user of the server with chown and chmod u+rwx, or name another folder."),
  FOLDER_OWNER(
      Topic.DATA,
      Level.WARNING,
      "The data folder %s belongs to %s, and this is %s.",
      "Run the server and this command as its owner, or give the folder away with chown -R."),
  FOLDER_IN_USE(
      Topic.DATA,
      Level.PROBLEM,
      "The data folder %s is in use by process %s, which does not serve on port %s.",
      "To look at that server, give its port; a second one needs a data folder of its own, or a"
          + " PostgreSQL that both are given."),
  DISK_LOW(
      Topic.DATA,
      Level.WARNING,
      "The disk of the data folder %s has %s MB left.",
      "Make room: PostgreSQL stops where the disk is full."),
  KEY_READABLE(
      Topic.DATA,
      Level.PROBLEM,
      "Other users of this machine can read %s.",
      "Close it with chmod 600, and change the key if somebody may have read it."),
  ORPHAN(
      Topic.DATA,
      Level.WARNING,
      "PostgreSQL %s still runs in the data folder, and the server that started it is dead.",
      "Start the server: it stops that PostgreSQL and recovers."),

  POSTGRES_AS_ROOT(
      Topic.DATA,
      Level.WARNING,
      "The embedded PostgreSQL in %s has root's rights on files: whoever gets into it has this machine.",
      "Run the server as another user, after chown -R of the data folder; or start with a new data"
          + " folder where the user sluice, or nobody, can reach it."),

  CERTIFICATE_EXPIRED(
      Topic.TLS,
      Level.PROBLEM,
      "The certificate in %s expired at %s.",
      "Renew it and restart the server."),
  CERTIFICATE_SOON(
      Topic.TLS,
      Level.WARNING,
      "The certificate in %s expires at %s.",
      "Renew it and restart the server before that."),
  CERTIFICATE_EARLY(
      Topic.TLS,
      Level.PROBLEM,
      "The certificate in %s is good only from %s on.",
      "Look at the clock of this machine, or use the certificate before this one until then."),

  ISSUER_SILENT(
      Topic.JWT,
      Level.PROBLEM,
      "The keys of the token issuer cannot be had from %s: %s.",
      "Correct jwt-jwks-url; an address that is not public must also stand in allow-target."),

  DATABASE_SILENT(
      Topic.DATABASE,
      Level.PROBLEM,
      "PostgreSQL cannot be reached: %s.",
      "See that it runs, and that database-url has its address and port."),
  DATABASE_REFUSES(
      Topic.DATABASE,
      Level.PROBLEM,
      "PostgreSQL does not let the server in: %s.",
      "Correct database-user and database-password, or pg_hba.conf of PostgreSQL."),
  DATABASE_UNKNOWN(
      Topic.DATABASE,
      Level.PROBLEM,
      "PostgreSQL answers, but %s.",
      "Make the database with 'create database', or correct its name in database-url."),
  DATABASE_FULL(
      Topic.DATABASE,
      Level.PROBLEM,
      "PostgreSQL has no connection left: %s.",
      "Raise max_connections, or stop programs that hold connections."),
  EMBEDDED_BROKEN(
      Topic.DATABASE,
      Level.PROBLEM,
      "The embedded PostgreSQL does not start: %s.",
      "Its log says more: server.log in the folder postgres of the data folder."),
  DATABASE_TOO_OLD(
      Topic.DATABASE,
      Level.PROBLEM,
      "PostgreSQL is version %s, and Sluice needs 14 or newer.",
      "Upgrade PostgreSQL, or take another one."),
  STANDBY(
      Topic.DATABASE,
      Level.PROBLEM,
      "This PostgreSQL is a standby, to which nothing can be written.",
      "Name the primary in database-url, or all hosts with the parameter targetServerType=primary."),
  ENCODING(
      Topic.DATABASE,
      Level.PROBLEM,
      "The database has the encoding %s, which cannot hold every text.",
      "Make a database with encoding UTF8 and move there."),
  CLOCK(
      Topic.DATABASE,
      Level.WARNING,
      "The clock of the database is %s seconds away from the one here.",
      "Let a time service such as chrony set both."),
  POOLER_UNTOLD(
      Topic.DATABASE,
      Level.PROBLEM,
      "A connection pooler stands before PostgreSQL, and database-pooled is not set.",
      "Set database-pooled, or go to PostgreSQL directly."),
  POOLER_ABSENT(
      Topic.DATABASE,
      Level.WARNING,
      "Setting database-pooled is on, and no pooler stands before PostgreSQL.",
      "Take it away: other processes then wake this one instead of being asked."),
  CONNECTIONS_FEW(
      Topic.DATABASE,
      Level.PROBLEM,
      "PostgreSQL has %s of its %s connections left, and a process of Sluice takes up to %s.",
      "Raise max_connections, or stop programs that hold connections."),

  FSYNC_OFF(
      Topic.DURABILITY,
      Level.PROBLEM,
      "PostgreSQL runs with fsync off: a power cut may destroy the database.",
      "Set fsync = on in postgresql.conf and reload."),
  FULL_PAGE_WRITES_OFF(
      Topic.DURABILITY,
      Level.PROBLEM,
      "PostgreSQL runs with full_page_writes off: a power cut may destroy pages of the database.",
      "Set full_page_writes = on in postgresql.conf and reload."),
  SYNCHRONOUS_COMMIT_OFF(
      Topic.DURABILITY,
      Level.PROBLEM,
      "PostgreSQL runs with synchronous_commit off: a crash loses jobs that were accepted.",
      "Set synchronous_commit = on, for the server, the database and the user of Sluice."),

  AUTOVACUUM_OFF(
      Topic.UPKEEP,
      Level.PROBLEM,
      "PostgreSQL runs with autovacuum off: tables grow and claims become slow.",
      "Set autovacuum = on in postgresql.conf and reload."),
  TRANSACTION_LONG(
      Topic.UPKEEP,
      Level.WARNING,
      "A transaction of '%s' (process %s of PostgreSQL) is open since %s.",
      "End it, if need be by pg_terminate_backend: until then nothing that is over is cleaned away."),

  RIGHTS_MISSING(
      Topic.SCHEMA,
      Level.PROBLEM,
      "The user %s may not %s.",
      "Let it own the schema: 'alter schema ... owner to' and the same for its tables, or"
          + " 'grant create on database' where there is none yet."),
  SCHEMA_NEWER(
      Topic.SCHEMA,
      Level.PROBLEM,
      "The tables of '%s' are at version %s, and this Sluice knows %s: a newer one was here.",
      "Start the newer Sluice, or restore the backup from before it."),
  SCHEMA_OLDER(
      Topic.SCHEMA,
      Level.WARNING,
      "The tables of '%s' are at version %s, and this Sluice brings them to %s at its start.",
      "Make a backup first; then start it."),

  MASTER_KEY_OTHER(
      Topic.KEYS,
      Level.PROBLEM,
      "Credentials in the database are encrypted with master key %s, and given is %s.",
      "Give the key that they were encrypted with; to change it, the new one, a comma and the old one."),
  MASTER_KEY_MISSING(
      Topic.KEYS,
      Level.PROBLEM,
      "Credentials in the database are encrypted with master key %s, and none is here.",
      "Put master.key back into the data folder, or give master-key."),
  API_KEYS_EXPIRED(
      Topic.KEYS,
      Level.WARNING,
      "Expired in the last 30 days: API key %s.",
      "Make a new key for whoever still uses it, or revoke it."),
  API_KEYS_SOON(
      Topic.KEYS,
      Level.WARNING,
      "Expires within 7 days: API key %s.",
      "Make a new key for whoever uses it, and hand it over before that.");

  /** What a check is about. */
  enum Topic {
    JDK,
    SETTINGS,
    PORT,
    DATA,
    TLS,
    JWT,
    DATABASE,
    DURABILITY,
    UPKEEP,
    SCHEMA,
    KEYS;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    Finding ok(String says) {
      return new Finding.Ok(word(), says);
    }

    Finding skipped(String why) {
      return new Finding.Skipped(word(), why);
    }
  }

  /** How bad it is. */
  enum Level {
    WARNING,
    PROBLEM
  }

  final Topic topic;
  final Level level;
  final String says;
  final String mend;

  Fault(Topic topic, Level level, String says, String mend) {
    this.topic = topic;
    this.level = level;
    this.says = says;
    this.mend = mend;
  }

  /** The finding, with what was found put into its sentence. */
  Finding found(Object... what) {
    String sentence = says.formatted(what).replaceAll("\\R+", " ");
    return switch (level) {
      case WARNING -> new Finding.Warning(topic.word(), sentence, mend);
      case PROBLEM -> new Finding.Problem(topic.word(), sentence, mend);
    };
  }
}
