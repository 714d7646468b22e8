package io.onceward.crash.child;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.crash.Step;
import io.onceward.crash.bank.Transfer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The outside bank as its clients speak to it: HTTP, one connection for each call. */
final class BankCall {
  /** The bank will not do this any more, because somebody asked it to settle the run. */
  static final class SettledException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final int port;
  private final Stops stops;

  BankCall(int port, Stops stops) {
    this.port = port;
    this.stops = stops;
  }

  Reply transfer(Transfer transfer, long fence) throws IOException {
    stops.reach(Step.PAUSED);
    byte[] request = request("/transfer", fence, transfer.encode());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      OutputStream out = socket.getOutputStream();
      if (stops.wants(Step.CALL_HALF_SENT)) {
        out.write(request, 0, request.length / 2);
        out.flush();
        stops.reach(Step.CALL_HALF_SENT);
      }
      out.write(request);
      out.flush();
      stops.reach(Step.CALL_SENT);
      Answer answer = answer(socket);
      return switch (answer.code) {
        case 200 -> Reply.ok(answer.text);
        case 409 -> Reply.businessError(answer.text);
        case 410 -> throw new SettledException();
        default -> throw new IOException("the bank answered " + answer);
      };
    }
  }

  /** What became of a request; null if it did not happen and this run cannot any more. */
  @org.jspecify.annotations.Nullable
  Reply settle(String name, long fence) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request("/settle", fence, Bytes.utf8(name)));
      Answer answer = answer(socket);
      return switch (answer.code) {
        case 200 -> Reply.ok(answer.text);
        case 409 -> Reply.businessError(answer.text);
        case 404 -> null;
        default -> throw new IOException("the bank answered " + answer);
      };
    }
  }

  private record Answer(int code, String text) {}

  private static byte[] request(String path, long fence, Bytes body) {
    return ("POST "
            + path
            + " HTTP/1.1\r\nHost: bank\r\nConnection: close\r\nFence: "
            + fence
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body.asText())
        .getBytes(StandardCharsets.UTF_8);
  }

  private Answer answer(Socket socket) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    String status = in.readLine();
    if (status == null) {
      throw new IOException("the bank hung up");
    }
    stops.reach(Step.CALL_ANSWERED);
    for (String header = in.readLine(); header != null && !header.isEmpty(); ) {
      header = in.readLine();
    }
    StringBuilder text = new StringBuilder();
    for (int next = in.read(); next >= 0; next = in.read()) {
      text.append((char) next);
    }
    return new Answer(Integer.parseInt(status.split(" ", -1)[1]), text.toString());
  }
}
