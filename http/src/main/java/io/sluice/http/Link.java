package io.sluice.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.MonitoringResponseOutOfOrderStrategy;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** An open connection: the socket below, whatever TLS is on it, and the HTTP that is spoken. */
final class Link {
  /** Limits on what a receiver may make us read before its body. */
  static final Http1Config LIMITS = Http1Config.custom()
      .setMaxLineLength(8 << 10)
      .setMaxHeaderCount(100)
      .setMaxEmptyLineCount(5)
      .build();

  private final Socket socket;
  private final Http http;

  Link(Socket socket, @Nullable SSLSocket secure) throws IOException {
    this.socket = socket;
    this.http = new Http(socket, secure);
  }

  Socket socket() {
    return socket;
  }

  DefaultBHttpClientConnection http() {
    return http;
  }

  /** True when the other side has closed, or has spoken without being asked. */
  boolean isUnfit() {
    try {
      return http.isStale() || http.isDataAvailable(Timeout.ONE_MILLISECOND);
    } catch (IOException e) {
      return true;
    }
  }

  void drop() {
    Cutoff.abort(socket);
  }

  /**
   * HTTP with two differences: an answer that breaks off in its head is none, and looking whether
   * there is something to read takes no time. So a receiver that answers before it has read everything
   * is heard, and the body does not go out any slower for it.
   */
  private static final class Http extends DefaultBHttpClientConnection {
    private boolean inHead;
    private boolean looking;

    Http(Socket socket, @Nullable SSLSocket secure) throws IOException {
      super(
          LIMITS,
          null,
          null,
          null,
          null,
          MonitoringResponseOutOfOrderStrategy.INSTANCE,
          null,
          null);
      bind(secure == null ? plain(socket) : layered(secure, socket));
    }

    private SocketHolder plain(Socket socket) {
      return new SocketHolder(socket) {
        @Override
        protected InputStream getInputStream(Socket top) throws IOException {
          return new Watched(top.getInputStream(), socket.getInputStream());
        }
      };
    }

    private SocketHolder layered(SSLSocket secure, Socket socket) {
      return new SocketHolder(secure, socket) {
        @Override
        protected InputStream getInputStream(Socket top) throws IOException {
          return new Watched(top.getInputStream(), socket.getInputStream());
        }
      };
    }

    @Override
    public ClassicHttpResponse receiveResponseHeader() throws HttpException, IOException {
      inHead = true;
      try {
        return super.receiveResponseHeader();
      } finally {
        inHead = false;
      }
    }

    @Override
    public boolean isDataAvailable(Timeout timeout) throws IOException {
      looking = true;
      try {
        return super.isDataAvailable(timeout);
      } finally {
        looking = false;
      }
    }

    /** What is read, and the socket below it, which is the same where there is no TLS. */
    private final class Watched extends FilterInputStream {
      private final InputStream below;

      Watched(InputStream top, InputStream below) {
        super(top);
        this.below = below;
      }

      @Override
      public int read(byte[] bytes, int from, int length) throws IOException {
        if (looking && below.available() == 0 && super.available() == 0) {
          throw new SocketTimeoutException("nothing to read");
        }
        int read = super.read(bytes, from, length);
        if (read < 0 && inHead) {
          throw new ConnectionClosedException("the answer broke off in its head");
        }
        return read;
      }
    }
  }
}
