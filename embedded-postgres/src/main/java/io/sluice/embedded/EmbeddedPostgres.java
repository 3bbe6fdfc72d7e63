package io.sluice.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL that this process starts, owns and stops, kept in one data folder. It listens on
 * the loopback address only, asks for a password, and is never run with a setting that could lose a
 * commit. For trying out, tests and small installs.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final String DATABASE = "postgres";

  private final Path folder;
  private final int port;
  private final String password;
  private final FolderLock lock;
  private final Postmaster postmaster;

  private EmbeddedPostgres(
      Path folder, int port, String password, FolderLock lock, Postmaster postmaster) {
    this.folder = folder;
    this.port = port;
    this.password = password;
    this.lock = lock;
    this.postmaster = postmaster;
  }

  /**
   * Starts the PostgreSQL of this data folder, making it first where there is none. It stops with
   * {@link #close} and, where nobody got to that, at the end of the JVM.
   */
  public static EmbeddedPostgres start(Path dataFolder) {
    return builder(dataFolder).stopAtExit().start();
  }

  /** A PostgreSQL that somebody else started, and how to reach it. */
  public record Running(String jdbcUrl, String user, String password) {
    @Override
    public String toString() {
      return "Running[" + jdbcUrl + "]"; // the password is nobody's business
    }
  }

  /** The PostgreSQL of this data folder, if it runs right now: started by another process, or by us. */
  public static Optional<Running> running(Path dataFolder) {
    try {
      Path folder = dataFolder.toAbsolutePath().normalize();
      if (!Files.isDirectory(folder)) {
        return Optional.empty();
      }
      Cluster cluster = new Cluster(folder.toRealPath());
      Optional<Integer> port = Postmaster.portOf(cluster);
      return port.isEmpty()
          ? Optional.empty()
          : Optional.of(new Running(url(port.get()), Cluster.USER, cluster.password()));
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot look at PostgreSQL in " + dataFolder, e);
    }
  }

  public static Builder builder(Path dataFolder) {
    return new Builder(dataFolder);
  }

  public String jdbcUrl() {
    return url(port);
  }

  /** The address with user and password in it, for a client that takes nothing else. */
  public String urlWithPassword() {
    return url(port) + "?user=" + user() + "&password=" + password;
  }

  private static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
  }

  public String user() {
    return Cluster.USER;
  }

  public String password() {
    return password;
  }

  public int port() {
    return port;
  }

  public Path dataFolder() {
    return folder;
  }

  /** The process id of the server. */
  public long pid() {
    return postmaster.pid();
  }

  /** Stops the server, within a bounded time, and gives up the folder. A second call does nothing. */
  public synchronized void stop() {
    try {
      postmaster.stop();
    } finally {
      lock.close();
    }
  }

  @Override
  public void close() {
    stop();
  }

  private void atExit(Runnable end) {
    Runtime.getRuntime().addShutdownHook(new Thread(end, "embedded-postgres-stop"));
  }

  private void discard() {
    stop();
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot remove " + folder, e);
    }
  }

  /** How to start a PostgreSQL; all but the data folder has a default. */
  public static final class Builder {
    private static final int PORT_TRIES = 10;

    private final Path dataFolder;
    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(
        "listen_addresses", "127.0.0.1",
        "unix_socket_directories", "",
        "shared_buffers", "128MB",
        "max_connections", "200",
        "max_wal_size", "1GB",
        "checkpoint_timeout", "15min",
        "jit", "off",
        "timezone", "UTC"));
    private final Map<String, String> environment = new LinkedHashMap<>();
    private int port;
    private Duration startLimit = Duration.ofMinutes(2);
    private boolean stopAtExit;
    private boolean temporary;
    private @Nullable Path archive;
    private @Nullable Path cache;
    private @Nullable Path around;

    private Builder(Path dataFolder) {
      this.dataFolder = dataFolder;
    }

    /** The port to listen on; 0, the default, takes a free one. */
    public Builder port(int port) {
      this.port = port;
      return this;
    }

    /** A server setting, as in postgresql.conf. */
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /** A variable in the environment of the server, beside those of this process. */
    public Builder environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    /** The programs to run, a binaries jar or its .txz, instead of those on the class path. */
    public Builder binaries(Path archive) {
      this.archive = archive;
      return this;
    }

    /** Where unpacked programs are kept; by default in the user's cache folder. */
    public Builder cacheFolder(Path cache) {
      this.cache = cache;
      return this;
    }

    /** How long a start, with recovery after a crash, may take. */
    public Builder startLimit(Duration limit) {
      this.startLimit = limit;
      return this;
    }

    /** Stops the server when the JVM ends. Off by default: an orderly program stops it itself. */
    public Builder stopAtExit() {
      this.stopAtExit = true;
      return this;
    }

    /** Stops the server when the JVM ends, and its data folder goes with it: for tests. */
    public Builder temporary() {
      this.temporary = true;
      return this;
    }

    /**
     * Has a PostgreSQL that is yet to be made run as an unprivileged user, where this process is root's: as
     * {@code sluice}, or as {@code nobody} where there is no such user. Where that user cannot reach the data
     * folder, it runs as without this. One that was made so runs so from then on, whoever starts it.
     *
     * @param around a folder around the data folder that was made for this alone: where it is root's, the
     *     group of that user is let through
     */
    public Builder unprivileged(Path around) {
      this.around = around;
      return this;
    }

    public EmbeddedPostgres start() {
      try {
        Path folder = Folders.create(dataFolder);
        FolderLock lock = FolderLock.take(folder);
        EmbeddedPostgres started = null;
        try {
          started = start(folder, lock);
        } finally {
          if (started == null) {
            lock.close();
          }
        }
        if (temporary) {
          started.atExit(started::discard);
        } else if (stopAtExit) {
          started.atExit(started::stop);
        }
        return started;
      } catch (IOException e) {
        throw new EmbeddedPostgresException("cannot start PostgreSQL in " + dataFolder, e);
      }
    }

    private EmbeddedPostgres start(Path folder, FolderLock lock) throws IOException {
      Archive packed = archive == null ? Archive.onClassPath() : Archive.at(archive);
      Cluster cluster = new Cluster(folder);
      Binaries binaries = binaries(packed, folder, cluster.data());
      new Leftovers(cluster.data(), binaries).clear();
      cluster.prepare(binaries);
      return startOnFreePort(folder, lock, binaries, cluster);
    }

    private Binaries binaries(Archive packed, Path folder, Path data) throws IOException {
      // The cache of root is root's alone.
      Path forOthers = cache == null ? sharedCache(folder) : cache;
      if (around != null && !Files.exists(data)) {
        Optional<Binaries> others =
            new Unprivileged(folder, around.toRealPath()).find(packed, forOthers);
        if (others.isPresent()) {
          return others.get();
        }
      }
      RunAs owner = RunAs.ownerOf(data);
      if (owner.isOther()) {
        owner.letThrough(Folders.create(forOthers));
        return Binaries.unpack(packed, forOthers).as(owner);
      }
      return Binaries.unpack(packed, cache == null ? defaultCache(folder) : cache);
    }

    private EmbeddedPostgres startOnFreePort(
        Path folder, FolderLock lock, Binaries binaries, Cluster cluster) throws IOException {
      for (int tries = 1; ; tries++) {
        int candidate = port == 0 ? freePort() : port;
        settings.put("port", Integer.toString(candidate));
        try {
          Postmaster postmaster = Postmaster.start(
              binaries, cluster, new Postmaster.Options(settings, environment), startLimit);
          requireDurability(postmaster, candidate, cluster.password());
          return new EmbeddedPostgres(folder, candidate, cluster.password(), lock, postmaster);
        } catch (Postmaster.PortTaken e) {
          if (port != 0 || tries == PORT_TRIES) {
            throw e;
          }
        }
      }
    }

    private static void requireDurability(Postmaster postmaster, int port, String password) {
      boolean durable = false;
      try {
        Durability.require(url(port), Cluster.USER, password);
        durable = true;
      } finally {
        if (!durable) {
          postmaster.stop();
        }
      }
    }

    private static int freePort() throws IOException {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    }

    /** A folder that other users can read: the machine's cache, or one in the data folder. */
    private static Path sharedCache(Path folder) {
      return RunAs.isRoot()
          ? SharedCache.SYSTEM.open().orElseGet(() -> folder.resolve("binaries"))
          : folder.resolve("binaries");
    }

    /** The user's cache folder, or the data folder for a user without a usable home. */
    private static Path defaultCache(Path folder) {
      Path base = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
          .filter(path -> path.startsWith("/"))
          .map(Path::of)
          .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
      try {
        Path cache = Folders.create(base.resolve("sluice").resolve("postgres"));
        return Files.isWritable(cache) ? cache : folder.resolve("binaries");
      } catch (IOException e) {
        return folder.resolve("binaries");
      }
    }
  }
}
