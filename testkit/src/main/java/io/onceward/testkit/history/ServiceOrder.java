package io.onceward.testkit.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The requests of one numbered service in the order of their serials, with the holes between. */
final class ServiceOrder {
  /** A serial that two requests were told. */
  record Clash(long serial, int first, int second) {}

  final String name;
  final ServiceKind kind;

  /** The request of each serial from 1 on, or -1 for a hole; index 0 is not used. */
  final int[] bySerial;

  /** The highest serial that anybody was told. */
  final int last;

  /** Requests whose serial cannot be: more commands than were ever sent. */
  final List<Integer> outOfRange = new ArrayList<>();

  /** Answered requests whose reply has no serial in front. */
  final List<Integer> unnumbered = new ArrayList<>();

  final List<Clash> clashes = new ArrayList<>();

  /** Requests that were sent as commands. */
  final int commands;

  private final int[] queryStarts;
  private final int[] queries;

  private ServiceOrder(History history, String name, ServiceKind kind, int service, long stated) {
    this.name = name;
    this.kind = kind;
    int sent = 0;
    int asked = 0;
    for (int request = 0; request < history.requests; request++) {
      if (history.service(history.firstOp[request]) == service) {
        if (history.isQuery(request)) {
          asked++;
        } else if (history.wasSent(request)) {
          sent++;
        }
      }
    }
    commands = sent;
    // No serial can be above the number of commands; the margin leaves room to tell who is wrong.
    int most = (int) Math.min(Integer.MAX_VALUE - 16L, 2L * sent + 1024);
    int[] slots = new int[most + 1];
    Arrays.fill(slots, -1);
    int[] perSerial = new int[most + 2];
    int[] answeredQueries = new int[asked];
    int count = 0;
    int highest = (int) Math.min(most, Math.max(0, stated));
    for (int request = 0; request < history.requests; request++) {
      if (history.service(history.firstOp[request]) != service
          || history.fate(request) != Fate.ANSWERED) {
        continue;
      }
      long serial = history.serial(history.answeredOp[request]);
      boolean query = history.isQuery(request);
      if (serial < 0) {
        unnumbered.add(request);
      } else if (serial > most || serial == 0 && !query) {
        outOfRange.add(request);
      } else {
        highest = Math.max(highest, (int) serial);
        if (query) {
          answeredQueries[count++] = request;
          perSerial[(int) serial + 1]++;
        } else if (slots[(int) serial] >= 0) {
          clashes.add(new Clash(serial, slots[(int) serial], request));
        } else {
          slots[(int) serial] = request;
        }
      }
    }
    last = highest;
    bySerial = Arrays.copyOf(slots, last + 1);
    for (int i = 1; i < perSerial.length; i++) {
      perSerial[i] += perSerial[i - 1];
    }
    queryStarts = Arrays.copyOf(perSerial, last + 2);
    queries = new int[count];
    int[] next = queryStarts.clone();
    for (int i = 0; i < count; i++) {
      long serial = history.serial(history.answeredOp[answeredQueries[i]]);
      queries[next[(int) serial]++] = answeredQueries[i];
    }
  }

  /**
   * Puts a service in order.
   *
   * @param stated the serial that the service had at the end, or 0 if nobody says
   */
  static ServiceOrder of(History history, String name, ServiceKind kind, long stated) {
    return new ServiceOrder(history, name, kind, history.serviceNumber(name), stated);
  }

  /** The first of the queries that saw a serial; they go on up to {@link #queriesEnd}. */
  int queriesStart(int serial) {
    return queryStarts[serial];
  }

  int queriesEnd(int serial) {
    return queryStarts[serial + 1];
  }

  /** The request of one such query. */
  int query(int index) {
    return queries[index];
  }
}
