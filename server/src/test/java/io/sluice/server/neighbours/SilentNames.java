package io.sluice.server.neighbours;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Name resolution of a server under test, in place of the native call to the system's resolver: it stands behind the
 * cache of the JDK. Nobody answers for names below {@code silent.test}; names below {@code victim.test} are this machine.
 */
public final class SilentNames extends InetAddressResolverProvider implements InetAddressResolver {
  static final String SILENT = ".silent.test";
  static final String KNOWN = ".victim.test";

  /** As long as the C library tries: twice five seconds. */
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(10);

  /** A jar that makes a JVM resolve names in this way when it is on its class path. */
  static Path jar(Path folder) {
    Path jar = folder.resolve("names.jar");
    String file = SilentNames.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream own = SilentNames.class.getResourceAsStream("SilentNames.class")) {
      out.putNextEntry(new ZipEntry(file));
      own.transferTo(out);
      out.putNextEntry(
          new ZipEntry("META-INF/services/" + InetAddressResolverProvider.class.getName()));
      out.write(SilentNames.class.getName().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return jar;
  }

  @Override
  public String name() {
    return "silent names";
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return this;
  }

  @Override
  public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
      throws UnknownHostException {
    if (host.endsWith(KNOWN) || host.equals("localhost")) {
      return Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}));
    }
    if (host.endsWith(SILENT)) {
      // Nobody can interrupt the native call either.
      long end = System.nanoTime() + SILENCE;
      while (System.nanoTime() - end < 0) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
    }
    throw new UnknownHostException(host);
  }

  @Override
  public String lookupByAddress(byte[] address) throws UnknownHostException {
    throw new UnknownHostException("no names of addresses");
  }
}
