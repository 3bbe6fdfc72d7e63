import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * A receiver of deliveries, to be run as it is: {@code java Receiver.java PORT MILLIS}. Prints the job id, the
 * attempt and the path of every request, and answers each after so many milliseconds.
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
        exchange.getRequestBody().readAllBytes();
        var headers = exchange.getRequestHeaders();
        out.println(headers.getFirst("sluice-job-id") + " " + headers.getFirst("sluice-attempt") + " "
            + exchange.getRequestURI().getPath() + " " + headers.getFirst("webhook-signature"));
        LockSupport.parkNanos(pause);
        exchange.sendResponseHeaders(204, -1);
      }
    });
    server.start();
    out.println("listening on " + server.getAddress().getPort());
  }
}
