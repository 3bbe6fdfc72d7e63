package io.sluice.server.neighbours;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;

/** A stranger who tries made-up keys with the right checksum as fast as he is answered. Each once cost a look-up. */
record LoginAttack() implements Attack {
  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final int CALLERS = 8;

  /** Of one caller; together at most 4,000 a second. */
  private static final int A_TENTH_OF_A_SECOND = 50;

  private static final int MOST_CONNECTIONS = 10_000;

  @Override
  public String title() {
    return "9 log-ins";
  }

  @Override
  public void run(Attacker attacker) {
    attacker.repeat(CALLERS, MOST_CONNECTIONS, () -> {
      try (Socket socket = attacker.connect()) {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        guess(attacker, socket);
      } catch (IOException e) {
        attacker.count("no answer");
        attacker.pause(Duration.ofMillis(100));
      }
    });
  }

  /** Tries keys on one connection, until it is closed or the attack is to end. */
  private static void guess(Attacker attacker, Socket socket)
      throws IOException, InterruptedException {
    RandomGenerator random = RandomGenerator.getDefault();
    InputStream in = new BufferedInputStream(socket.getInputStream());
    long next = System.nanoTime();
    do {
      for (int i = 0; i < A_TENTH_OF_A_SECOND && attacker.goesOn(); i++) {
        String request =
            "GET /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key(random) + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        attacker.count(status(in));
      }
      next += 100_000_000;
    } while (attacker.pause(Duration.ofNanos(Math.max(0, next - System.nanoTime()))));
  }

  private static String key(RandomGenerator random) {
    StringBuilder text = new StringBuilder("sluice_");
    random.ints(12, 0, DIGITS.length()).forEach(i -> text.append(DIGITS.charAt(i)));
    text.append('_');
    random.ints(30, 0, DIGITS.length()).forEach(i -> text.append(DIGITS.charAt(i)));
    CRC32 crc = new CRC32();
    crc.update(text.toString().getBytes(StandardCharsets.US_ASCII));
    StringBuilder checksum = new StringBuilder();
    long left = crc.getValue();
    for (int i = 0; i < 6; i++) {
      checksum.append(DIGITS.charAt((int) (left % DIGITS.length())));
      left /= DIGITS.length();
    }
    return text.append(checksum.reverse()).toString();
  }

  /** Reads an answer to its end and returns its status. */
  private static String status(InputStream in) throws IOException {
    String status = line(in);
    int length = 0;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(header.substring(15).strip());
      }
    }
    in.skipNBytes(length);
    return status.split(" ", -1)[1];
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection ended");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
