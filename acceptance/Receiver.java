import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * A receiver of deliveries, to be run as it is: {@code java Receiver.java PORT MILLIS}. Prints of every request the
 * job id, the attempt, the path, the signature, the time that was signed and the body in Base64, and answers after so
 * many milliseconds.
 */
final class Receiver {
  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    long pause = Long.parseLong(arguments[1]) * 1_000_000;
    PrintWriter out = new PrintWriter(System.out, true);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> {
      try (exchange) {
        byte[] body = exchange.getRequestBody().readAllBytes();
        var headers = exchange.getRequestHeaders();
        out.println(String.join(
            " ",
            headers.getFirst("sluice-job-id"),
            headers.getFirst("sluice-attempt"),
            exchange.getRequestURI().getPath(),
            String.valueOf(headers.getFirst("webhook-signature")).replace(' ', '|'),
            headers.getFirst("webhook-timestamp"),
            Base64.getEncoder().encodeToString(body)));
        LockSupport.parkNanos(pause);
        exchange.sendResponseHeaders(204, -1);
      }
    });
    server.start();
    out.println("listening on " + server.getAddress().getPort());
  }
}
