package io.onceward.http;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.http.StoredResponse.Header;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The response that the application writes. Nothing of it reaches the client before it is recorded,
 * with two exceptions that cannot be held back: a body that outgrows what is remembered, and one
 * that its route, or its type {@code text/event-stream}, hands out as it is written.
 *
 * <p>That is why a flush does nothing while the response is held back: frameworks flush after every
 * answer, and would hand it out before the record. To the application the response is committed
 * then, as it expects.
 *
 * <p>Headers and status go straight to the container, which keeps them until the first byte.
 */
final class CapturedResponse extends HttpServletResponseWrapper {
  private static final int NO_LENGTH = -1;
  private static final String LANGUAGE = "Content-Language";

  /** The container's, until it has ended the request. */
  private volatile HttpServletResponse real;

  private volatile boolean ended;
  private final int maxBytes;
  private final StoredHeaders kept;
  private final boolean asWritten;
  private final Consumer<Runnable> later;
  private final List<Header> headersBefore;

  private ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable CaptureStream stream;
  private @Nullable PrintWriter writer;
  private boolean streamTaken;
  private boolean committed;
  private boolean passing;
  private boolean overflowed;
  private volatile boolean clientGone;
  private boolean draining;

  /** Some containers make a header of it only when they commit. */
  private @Nullable Locale language;

  private long length = NO_LENGTH;
  private int error;
  private @Nullable String errorMessage;

  CapturedResponse(
      HttpServletResponse real,
      int maxBytes,
      StoredHeaders kept,
      boolean asWritten,
      Consumer<Runnable> later) {
    super(TomcatForwards.keptOpen(real));
    this.real = real;
    this.maxBytes = maxBytes;
    this.kept = kept;
    this.asWritten = asWritten;
    this.later = later;
    headersBefore = headersOf(real);
  }

  // ---- what the container and the filter ask

  /** Takes what the application's writer still holds. Not a flush: nothing is handed out by it. */
  void finish() {
    if (writer != null) {
      draining = true;
      writer.flush();
      draining = false;
    }
  }

  /** The status that the application sent as an error, 0 if it did not. */
  int error() {
    return error;
  }

  @Nullable String errorMessage() {
    return errorMessage;
  }

  /** What an exception of the application becomes if it is to be remembered. */
  void failWith(int status) {
    error = status;
    errorMessage = null;
  }

  /** Opens the response again for the page that explains the error. */
  void beginErrorPage(int status) {
    real.setStatus(status);
    body.reset();
    error = 0;
    committed = false;
    stream = null;
    writer = null;
    streamTaken = false;
  }

  /** Whether the client has seen something of it, so that nothing else can be answered. */
  boolean isHandedOut() {
    return passing || real.isCommitted();
  }

  /**
   * What is to be remembered of it. Headers that only filters in front have set are not: they set
   * them again for each copy. One that the application has touched is remembered with all its
   * values, so that a replay has the same.
   */
  Reply toReply(int status) {
    if (overflowed) {
      return Reply.REPLY_TOO_LARGE;
    }
    List<Header> headers = new ArrayList<>();
    for (String name : kept.names()) {
      if (real.containsHeader(name)) {
        List<String> values = List.copyOf(real.getHeaders(name));
        if (!values.equals(valuesBefore(name))) {
          values.forEach(value -> headers.add(new Header(name, value)));
        }
      }
    }
    if (language != null && !real.containsHeader(LANGUAGE)) {
      headers.add(new Header(LANGUAGE, language.toLanguageTag()));
    }
    // Containers differ in whether they show the type among the headers before the commit.
    String type = real.getContentType();
    if (type != null && headers.stream().noneMatch(h -> h.name().equals("Content-Type"))) {
      headers.add(new Header("Content-Type", type));
    }
    return new StoredResponse(status, headers, Bytes.of(body.toByteArray())).toReply();
  }

  /**
   * The container ends the request while the application goes on. From here on its response is not
   * touched any more.
   */
  void endedByContainer() {
    if (!ended) {
      HttpServletResponse mine = new EndedResponse(real, headersOf(real));
      setResponse(mine);
      real = mine;
      clientGone = true;
      ended = true;
    }
  }

  /** Gives the client what was held back. */
  void handOut() throws IOException {
    if (!passing && !ended && body.size() > 0) {
      real.setContentLength(body.size());
      body.writeTo(real.getOutputStream());
    }
  }

  /** Drops what the application wrote, and its headers with it, for another answer. */
  void discard() {
    real.reset();
    for (Header header : headersBefore) {
      real.addHeader(header.name(), header.value());
    }
  }

  private List<String> valuesBefore(String name) {
    List<String> values = new ArrayList<>();
    for (Header header : headersBefore) {
      if (header.name().equalsIgnoreCase(name)) {
        values.add(header.value());
      }
    }
    return values;
  }

  private static List<Header> headersOf(HttpServletResponse response) {
    List<Header> headers = new ArrayList<>();
    for (String name : response.getHeaderNames()) {
      for (String value : response.getHeaders(name)) {
        headers.add(new Header(name, value));
      }
    }
    return headers;
  }

  // ---- what the application asks

  @Override
  public ServletOutputStream getOutputStream() {
    if (writer != null) {
      throw new IllegalStateException("getWriter() was called for this response");
    }
    streamTaken = true;
    return stream();
  }

  private CaptureStream stream() {
    if (stream == null) {
      stream = new CaptureStream(this, later);
    }
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (streamTaken) {
      throw new IllegalStateException("getOutputStream() was called for this response");
    }
    if (writer == null) {
      String charset = getCharacterEncoding();
      // A container names the charset in the type as soon as there is a writer.
      super.setCharacterEncoding(charset);
      writer = new PrintWriter(new OutputStreamWriter(stream(), charset));
    }
    return writer;
  }

  @Override
  public void setCharacterEncoding(@Nullable String charset) {
    if (writer == null) {
      super.setCharacterEncoding(charset);
    }
  }

  @Override
  public void setContentType(@Nullable String type) {
    String charset = getCharacterEncoding();
    super.setContentType(type);
    if (writer != null) {
      super.setCharacterEncoding(charset);
    }
  }

  @Override
  public void setLocale(Locale locale) {
    String charset = getCharacterEncoding();
    super.setLocale(locale);
    language = committed ? language : locale;
    if (writer != null) {
      super.setCharacterEncoding(charset);
    }
  }

  @Override
  public void setContentLength(int length) {
    setContentLengthLong(length);
  }

  @Override
  public void setContentLengthLong(long length) {
    this.length = length;
  }

  @Override
  public void setStatus(int status) {
    if (!committed) {
      super.setStatus(status);
    }
  }

  @Override
  public int getStatus() {
    return error != 0 ? error : super.getStatus();
  }

  @Override
  public void sendError(int status) {
    sendError(status, null);
  }

  @Override
  public void sendError(int status, @Nullable String message) {
    resetBuffer();
    error = status;
    errorMessage = message;
    committed = true;
  }

  @Override
  public void sendRedirect(String location) {
    sendRedirect(location, SC_FOUND, true);
  }

  @Override
  public void sendRedirect(String location, boolean clearBuffer) {
    sendRedirect(location, SC_FOUND, clearBuffer);
  }

  @Override
  public void sendRedirect(String location, int status) {
    sendRedirect(location, status, true);
  }

  /** Not the container's, which would commit. The location stays relative, as HTTP allows. */
  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) {
    refuseIfCommitted();
    if (clearBuffer) {
      resetBuffer();
    }
    super.setStatus(status);
    super.setHeader("Location", location);
    committed = true;
  }

  @Override
  public void flushBuffer() throws IOException {
    if (writer != null) {
      writer.flush();
    } else {
      flushed();
    }
  }

  @Override
  public boolean isCommitted() {
    return committed || super.isCommitted();
  }

  @Override
  public void reset() {
    resetBuffer();
    super.reset();
    language = null;
    length = NO_LENGTH;
    stream = null;
    writer = null;
    streamTaken = false;
  }

  @Override
  public void resetBuffer() {
    refuseIfCommitted();
    finish();
    body.reset();
  }

  private void refuseIfCommitted() {
    if (isCommitted()) {
      throw new IllegalStateException("the response is committed");
    }
  }

  // ---- what the stream does

  void write(byte[] bytes, int offset, int count) throws IOException {
    if (asWritten) {
      handOutFromNowOn();
    }
    if (!overflowed) {
      if (count <= maxBytes - body.size()) {
        body.write(bytes, offset, count);
      } else {
        handOutFromNowOn();
        overflowed = true;
        body = new ByteArrayOutputStream(0);
      }
    }
    if (passing) {
      pass(bytes, offset, count);
    }
  }

  void flushed() throws IOException {
    if (draining) {
      return;
    }
    committed = true;
    if (!passing && isStream()) {
      handOutFromNowOn();
    }
    if (passing && !clientGone) {
      try {
        real.flushBuffer();
      } catch (IOException e) {
        gone(e);
      }
    }
  }

  private void handOutFromNowOn() throws IOException {
    if (!passing) {
      if (length != NO_LENGTH) {
        real.setContentLengthLong(length);
      }
      passing = true;
      committed = true;
      byte[] soFar = body.toByteArray();
      pass(soFar, 0, soFar.length);
    }
  }

  private void pass(byte[] bytes, int offset, int count) throws IOException {
    if (!clientGone) {
      try {
        real.getOutputStream().write(bytes, offset, count);
      } catch (IOException e) {
        gone(e);
      }
    }
  }

  /**
   * The client went away in the middle. An application that merely writes much must not be stopped
   * by that half-way through its effect; one that streams on purpose has to know when to end.
   */
  private void gone(IOException e) throws IOException {
    clientGone = true;
    if (isStream()) {
      throw e;
    }
  }

  /** Whether the application hands it out as it goes, and so has to know when to end. */
  boolean isStream() {
    return asWritten || "text/event-stream".equals(MediaType.parse(getContentType()).essence());
  }
}
