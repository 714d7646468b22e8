package io.onceward.crash.child;

import io.onceward.crash.Step.Moment;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** A socket that stops its lane in the middle of a message, or right after it was sent. */
final class LaneSocket extends Socket {
  @Override
  public OutputStream getOutputStream() throws IOException {
    return new Stopping(super.getOutputStream());
  }

  private static final class Stopping extends FilterOutputStream {
    Stopping(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Stops stops = Stops.current();
      if (stops != null && length > 1 && stops.wantsNow(Moment.HALF_SENT)) {
        out.write(bytes, offset, length / 2);
        out.flush();
        stops.reachNow(Moment.HALF_SENT);
      }
      out.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      out.flush();
      Stops stops = Stops.current();
      if (stops != null) {
        stops.reachNow(Moment.SENT);
      }
    }
  }
}
