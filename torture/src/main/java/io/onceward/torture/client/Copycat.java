package io.onceward.torture.client;

import io.onceward.Bytes;
import io.onceward.client.transport.GrpcTransport;
import io.onceward.client.transport.Line;
import io.onceward.client.transport.Transport;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Answers;
import io.onceward.wire.Question;
import io.onceward.wire.Questions;
import java.io.Closeable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends single copies of requests, past the library and its memory of what was sent: as a network
 * would that delivers a message again, soon or long after it was answered. It follows no leader; a
 * copy that meets the wrong node is lost.
 */
public final class Copycat implements Closeable {
  private static final int CONNECT_MILLIS = 2_000;

  private final List<String> addresses;
  private final Transport transport = new GrpcTransport(CONNECT_MILLIS);
  private final Map<String, Talk> talks = new HashMap<>();
  private int favourite;
  private long tickets;

  public Copycat(List<String> addresses) {
    this.addresses = List.copyOf(addresses);
  }

  /**
   * Sends a copy to the node that decided about the last one, or, if it did not, to the next.
   *
   * @param heard is told the answer, or null if there is none; once
   */
  public void send(Request request, Consumer<@Nullable Answer> heard) {
    Question question = new Question.Logged(Bytes.of(RequestCodec.encode(request)));
    transport.execute(
        () -> {
          String address = addresses.get(favourite % addresses.size());
          int asked = favourite;
          talks
              .computeIfAbsent(address, Talk::new)
              .ask(
                  question,
                  answer -> {
                    if (!(answer instanceof Answer.Decided) && favourite == asked) {
                      favourite++;
                    }
                    heard.accept(answer);
                  });
        });
  }

  /**
   * Asks any node, which the library would never do: one that does not lead any more, and does not
   * know it yet, must not answer.
   *
   * @param question with the name of its service
   * @param heard is told the answer, or null if there is none; once
   */
  void query(Bytes question, int node, Consumer<@Nullable Answer> heard) {
    transport.execute(
        () ->
            talks
                .computeIfAbsent(addresses.get(node % addresses.size()), Talk::new)
                .ask(new Question.Query(question), heard));
  }

  @Override
  public void close() {
    transport.close();
  }

  /** The conversation with one node, made anew when it breaks. On the transport's thread only. */
  private final class Talk implements Line.Listener {
    private static final int MOST_OPEN = 1_000;

    private final String address;
    private final Map<Long, Consumer<@Nullable Answer>> open = new HashMap<>();
    private @Nullable Line line;

    Talk(String address) {
      this.address = address;
    }

    void ask(Question question, Consumer<@Nullable Answer> heard) {
      if (open.size() >= MOST_OPEN) {
        heard.accept(null);
        return;
      }
      Line line = this.line;
      if (line == null) {
        line = transport.connect(address, this);
        this.line = line;
      }
      long ticket = ++tickets;
      open.put(ticket, heard);
      line.send(Questions.encode(List.of(new Questions.Asked(ticket, question))));
    }

    @Override
    public void ready() {
      // It sends whether there is room or not; what is open is bounded.
    }

    @Override
    public void received(byte[] message) {
      Answers.decode(
          message,
          (ticket, answer) -> {
            Consumer<@Nullable Answer> heard = open.remove(ticket);
            if (heard != null) {
              heard.accept(answer);
            }
          });
    }

    @Override
    public void closed(String reason) {
      line = null;
      List<Consumer<@Nullable Answer>> lost = List.copyOf(open.values());
      open.clear();
      lost.forEach(heard -> heard.accept(null));
    }
  }
}
