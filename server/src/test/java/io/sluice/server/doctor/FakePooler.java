package io.sluice.server.doctor;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A proxy before a PostgreSQL that, as poolers do, tells its clients a process number of its own making.
 * All else goes through as it is.
 */
final class FakePooler implements AutoCloseable {
  private static final int KEY_DATA = 'K';
  private static final int READY = 'Z';

  private final ServerSocket listening;
  private final int server;

  FakePooler(int server) throws IOException {
    this.server = server;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
        Thread.ofVirtual().start(() -> pass(client, behind));
        Thread.ofVirtual().start(() -> change(behind, client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // The other side has hung up.
    }
  }

  /** The server answers the question for encryption by one byte, then by messages. */
  private static void change(Socket from, Socket to) {
    try (from;
        to) {
      DataInputStream in = new DataInputStream(from.getInputStream());
      DataOutputStream out = new DataOutputStream(to.getOutputStream());
      out.write(in.readByte());
      out.flush();
      int type;
      do {
        type = in.readUnsignedByte();
        int length = in.readInt();
        byte[] body = in.readNBytes(length - 4);
        if (type == KEY_DATA) {
          body[3] ^= 1;
        }
        out.write(type);
        out.writeInt(length);
        out.write(body);
        out.flush();
      } while (type != READY);
      in.transferTo(out);
    } catch (IOException e) {
      // The other side has hung up.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
