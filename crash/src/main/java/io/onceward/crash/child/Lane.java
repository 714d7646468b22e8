package io.onceward.crash.child;

import io.onceward.Key;
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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One caller's connection and what works for it, one order after the other. Orders are lines:
 *
 * <pre>
 * run KEY SOURCE TARGET AMOUNT STEP      answered: replied KIND REPLAY PROBED TEXT, unknown …, other …
 * taken KEY                              answered: taken
 * queued KEY                             answered: queued FENCE
 * resolve KEY FENCE KIND TEXT            answered: resolved true, or false; KIND may be GONE
 * go                                     not answered: lets the lane go on that has stopped
 * </pre>
 */
final class Lane {
  private final Stops stops;
  private final Worker worker;
  private final Socket socket;
  private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();

  Lane(int number, int callerPort, Stops stops, Worker worker) throws IOException {
    this.stops = stops;
    this.worker = worker;
    socket = new Socket(InetAddress.getLoopbackAddress(), callerPort);
    socket.setTcpNoDelay(true);
    write("lane " + number + "\n");
  }

  /** Begins to work; completes when it is prepared. */
  CompletableFuture<Void> start(int number) {
    CompletableFuture<Void> prepared = new CompletableFuture<>();
    Gates.background(this::listen);
    Thread thread = new Thread(() -> work(prepared), "lane " + number);
    thread.setDaemon(true);
    thread.start();
    return prepared;
  }

  void begin() throws Exception {
    worker.begin();
  }

  private void listen() throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      if (order.equals("go")) {
        stops.goOn();
      } else {
        orders.put(order);
      }
    }
  }

  private void work(CompletableFuture<Void> prepared) {
    try {
      stops.becomeCurrent();
      worker.prepare();
      prepared.complete(null);
      while (true) {
        obey(orders.take().split(" ", 6));
      }
    } catch (Exception e) {
      prepared.completeExceptionally(e);
      ChildProgram.complain("a lane failed", e);
    }
  }

  private void obey(String[] order) throws IOException {
    Key key = Key.parse(order[1]);
    switch (order[0]) {
      case "run" -> answer(run(key, order));
      case "taken" -> {
        worker.taken(order[1]);
        write("taken\n");
      }
      case "queued" -> write("queued " + worker.queued(key) + "\n");
      case "resolve" -> write("resolved " + resolve(key, order) + "\n");
      default -> throw new IOException("no such order: " + order[0]);
    }
  }

  private String run(Key key, String[] order) {
    stops.want(order[5].equals("-") ? null : Step.valueOf(order[5]));
    try {
      return worker.run(key, new Transfer(order[1], order[2], order[3], Long.parseLong(order[4])));
    } catch (Exception e) {
      return "other " + Rulings.oneLine(e.toString());
    }
  }

  private boolean resolve(Key key, String[] order) {
    Reply happened =
        switch (order[3]) {
          case "OK" -> Reply.ok(String.join(" ", rest(order)));
          case "BUSINESS_ERROR" -> Reply.businessError(String.join(" ", rest(order)));
          default -> null;
        };
    return worker.resolve(key, Long.parseLong(order[2]), happened);
  }

  private static String[] rest(String[] order) {
    return java.util.Arrays.copyOfRange(order, 4, order.length);
  }

  private void answer(String line) throws IOException {
    if (stops.wants(Step.ANSWER_HALF_SENT)) {
      write(line.substring(0, line.length() / 2));
      stops.reach(Step.ANSWER_HALF_SENT);
    }
    write(line + "\n");
    stops.reach(Step.ANSWER_AFTER);
  }

  private void write(String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
