package io.onceward.cli.demo;

import java.io.PrintStream;
import java.util.List;

/** A terminal: one picture, drawn again in place. The last one stays, with the conclusion below. */
final class Screen implements Display {
  private static final String HIDE_CURSOR = "\u001b[?25l";
  private static final String SHOW_CURSOR = "\u001b[?25h";
  private static final String CLEAR = "\u001b[2J\u001b[H";
  private static final String ERASE_REST_OF_LINE = "\u001b[K";
  private static final String ERASE_BELOW = "\u001b[J";

  private final PrintStream out;
  private final Look look;
  private final TerminalSize size;
  private TerminalSize.Size drawn = new TerminalSize.Size(0, 0);
  private int lines;
  private boolean closed;

  Screen(PrintStream out, Look look, TerminalSize size) {
    this.out = out;
    this.look = look;
    this.size = size;
  }

  @Override
  public void begin(DemoSettings settings) {
    // The first picture follows at once.
  }

  @Override
  public synchronized void show(Figures figures) {
    if (closed) {
      return;
    }
    TerminalSize.Size now = size.now();
    StringBuilder frame = new StringBuilder(HIDE_CURSOR);
    if (!now.equals(drawn) && lines > 0) {
      // Lines may have been broken anew; where they begin now cannot be known.
      frame.append(CLEAR);
    } else if (lines > 0) {
      frame.append('\r').append("\u001b[").append(lines).append('A');
    }
    drawn = now;
    // The last row stays free, so that the line feed after the last line does not scroll.
    List<InkedLine> picture = new Panel(look, now.rows() - 1, now.columns()).lines(figures);
    for (InkedLine line : picture) {
      frame.append(line.print(now.columns() - 1, look.coloured()));
      frame.append(ERASE_REST_OF_LINE).append('\n');
    }
    frame.append(ERASE_BELOW);
    lines = picture.size();
    out.print(frame);
    out.flush();
  }

  @Override
  public void second(Figures figures) {
    show(figures);
  }

  @Override
  public void happened(Figures.Event event) {
    // It is in the next picture.
  }

  @Override
  public synchronized void conclude(Conclusion conclusion) {
    for (InkedLine line : new ConclusionText(look, size.now().columns()).lines(conclusion)) {
      out.println(line.print(Integer.MAX_VALUE, look.coloured()));
    }
    close();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      out.print(SHOW_CURSOR);
      out.flush();
    }
  }
}
