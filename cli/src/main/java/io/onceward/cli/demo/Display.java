package io.onceward.cli.demo;

/** Where the demo is watched. All is called from one thread at a time. */
interface Display {
  /** It begins. */
  void begin(DemoSettings settings);

  /** What is shown now; called several times a second, with new figures once a second. */
  void show(Figures figures);

  /** A second is over; its figures are in. */
  void second(Figures figures);

  /** Something happened just now. */
  void happened(Figures.Event event);

  /** How it ended; nothing follows. */
  void conclude(Conclusion conclusion);

  /** Leaves the terminal as it was; may be called twice, and from a thread of its own. */
  void close();
}
