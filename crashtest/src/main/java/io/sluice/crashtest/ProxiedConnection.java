package io.sluice.crashtest;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One connection that goes through a {@link Proxy}, message by message. */
final class ProxiedConnection {
  /** How long a server holds on to a session whose client has vanished without a word. */
  private static final Duration SERVER_PATIENCE = Duration.ofMinutes(2);

  private static final int DELIVERY_MILLIS = 5;
  private static final int BUFFER = 1 << 16;
  private static final int ASKS_FOR_TLS = 80877103;
  private static final int ASKS_FOR_GSS = 80877104;

  private final Proxy proxy;
  private final Socket client;
  private final Socket server;
  private final Statements statements = new Statements();
  private final CountDownLatch over = new CountDownLatch(1);
  /** True once bytes were swallowed: from then on neither side hears anything. */
  private volatile boolean silent;
  /** True once the client was cut off while the server goes on with what it received. */
  private volatile boolean abandoned;

  ProxiedConnection(Proxy proxy, Socket client, Socket server) {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
  }

  void start() {
    Thread.ofVirtual().start(this::pumpFromClient);
    Thread.ofVirtual().start(this::pumpFromServer);
  }

  private void pumpFromClient() {
    try {
      fromClient();
    } catch (IOException e) {
      if (silent || abandoned) {
        awaitServersPatience();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    reset();
  }

  private void pumpFromServer() {
    try {
      fromServer();
    } catch (IOException e) {
      if (silent) {
        return; // the client shall not hear of it
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    reset();
  }

  private void awaitServersPatience() {
    try {
      over.await(SERVER_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends both sides at once; a client reads "connection reset". */
  void reset() {
    over.countDown();
    proxy.ended(this);
    close(client);
    close(server);
  }

  /**
   * Cuts the client off and lets the server carry out what it received, and commit it where that needs
   * no further word. True when there was something to carry out.
   */
  boolean abandon() {
    if (statements.areAnswered()) {
      reset();
      return false;
    }
    abandoned = true;
    close(client);
    return true;
  }

  private static void close(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // Closed already.
    }
    try {
      socket.close();
    } catch (IOException e) {
      // Gone is gone.
    }
  }

  private void fromClient() throws IOException, InterruptedException {
    DataInputStream in = in(client);
    DataOutputStream out = out(server);
    greet(in, out);
    while (true) {
      byte type = in.readByte();
      byte[] body = body(in);
      awaitDelivery();
      if (goesThrough()) {
        Duration late = type == 'S' ? proxy.lateness(statements.committed()) : Duration.ZERO;
        statements.sent(type, body);
        if (!late.isZero()) {
          abandoned = true;
          close(client);
          over.await(late.toMillis(), TimeUnit.MILLISECONDS);
        }
        write(out, type, body);
        if (abandoned || isLastOfItsGroup(type)) {
          out.flush();
        }
      }
    }
  }

  /** A statement is sent whole, so that none is carried out before it is known what it commits. */
  private static boolean isLastOfItsGroup(byte type) {
    return "PBDEC".indexOf(type) < 0;
  }

  private void greet(DataInputStream in, DataOutputStream out)
      throws IOException, InterruptedException {
    byte[] startup = body(in);
    while (asksForEncryption(startup)) {
      client.getOutputStream().write('N');
      startup = body(in);
    }
    awaitDelivery();
    if (goesThrough()) {
      out.writeInt(startup.length + 4);
      out.write(startup);
      out.flush();
    }
  }

  private static boolean asksForEncryption(byte[] startup) {
    if (startup.length != 4) {
      return false;
    }
    int code = ByteBuffer.wrap(startup).getInt();
    return code == ASKS_FOR_TLS || code == ASKS_FOR_GSS;
  }

  private void fromServer() throws IOException, InterruptedException {
    DataInputStream in = in(server);
    DataOutputStream out = out(client);
    boolean losing = false;
    boolean silencing = false;
    while (true) {
      byte type = in.readByte();
      byte[] body = body(in);
      List<String> carriedOut = statements.answered(type, body);
      losing = losing || (!carriedOut.isEmpty() && proxy.loses(carriedOut));
      silencing = silencing || (!carriedOut.isEmpty() && proxy.silences(carriedOut.getLast()));
      // The commit of a single statement comes after its own answer, before "ready for query".
      boolean answerIsWhole = type == 'Z';
      if ((losing || abandoned) && answerIsWhole) {
        return;
      }
      if (!losing && !abandoned && goesThrough()) {
        write(out, type, body);
        flush(in, out);
        silent = silent || (silencing && answerIsWhole);
      }
    }
  }

  private void awaitDelivery() throws InterruptedException {
    while (proxy.holdsBack() && !over.await(DELIVERY_MILLIS, TimeUnit.MILLISECONDS)) {
      // Nobody looks at the client meanwhile: if it hangs up, what it said is delivered all the
      // same.
    }
  }

  private boolean goesThrough() throws InterruptedException {
    if (proxy.swallows()) {
      silent = true;
    }
    if (!silent && !proxy.delay().isZero()) {
      over.await(proxy.delay().toMillis(), TimeUnit.MILLISECONDS);
    }
    return !silent;
  }

  private static byte[] body(DataInputStream in) throws IOException {
    byte[] body = new byte[in.readInt() - 4];
    in.readFully(body);
    return body;
  }

  private static void write(DataOutputStream out, byte type, byte[] body) throws IOException {
    out.writeByte(type);
    out.writeInt(body.length + 4);
    out.write(body);
  }

  private static void flush(DataInputStream in, DataOutputStream out) throws IOException {
    if (in.available() == 0) {
      out.flush();
    }
  }

  private static DataInputStream in(Socket socket) throws IOException {
    return new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
  }

  private static DataOutputStream out(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
  }
}
