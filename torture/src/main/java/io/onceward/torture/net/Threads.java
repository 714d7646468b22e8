package io.onceward.torture.net;

/** Threads that end with the process at the latest. */
final class Threads {
  private Threads() {}

  static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
