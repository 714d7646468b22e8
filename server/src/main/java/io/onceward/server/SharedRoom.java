package io.onceward.server;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Room for what connections leave behind half done: answers that are not read, messages that are
 * not finished. It is the same room for all of them, since what each alone may have, times their
 * number, would be more than there is.
 *
 * <p>When it is full, whoever has been in it for the longest must go. Who reads what it asked for
 * and finishes what it begins is in here for moments; so a crowd that does neither pushes out its
 * own.
 */
final class SharedRoom {
  /** Someone for whom bytes are held. */
  interface Tenant {
    /** The room is full and this one was there first. Nothing is held for it any more. */
    void evicted(String limit);
  }

  private final String limit;
  private final long most;
  private final Map<Tenant, Long> held = new LinkedHashMap<>();
  private volatile long bytes;

  /**
   * @param limit what stands in the way when it is full, for those who have to go
   */
  SharedRoom(String limit, long most) {
    this.limit = limit;
    this.most = most;
  }

  /**
   * Says how many bytes are held for a tenant now.
   *
   * @return who has to go for it; to be {@linkplain #evict told} when the caller holds no lock
   */
  synchronized List<Tenant> hold(Tenant tenant, long now) {
    Long before = now == 0 ? held.remove(tenant) : held.put(tenant, now);
    bytes += now - (before == null ? 0 : before);
    if (bytes <= most) {
      return List.of();
    }
    List<Tenant> leaving = new ArrayList<>();
    Iterator<Map.Entry<Tenant, Long>> oldest = held.entrySet().iterator();
    while (bytes > most && oldest.hasNext()) {
      Map.Entry<Tenant, Long> first = oldest.next();
      oldest.remove();
      bytes -= first.getValue();
      leaving.add(first.getKey());
    }
    return leaving;
  }

  /** The same for a tenant that has left in the meantime, and comes back as the last. */
  synchronized List<Tenant> renew(Tenant tenant, long now) {
    var nobody = hold(tenant, 0);
    return now == 0 ? nobody : hold(tenant, now);
  }

  /** Tells those who have to go. */
  void evict(List<Tenant> leaving) {
    for (Tenant tenant : leaving) {
      tenant.evicted(limit);
    }
  }

  /** How many bytes are held in all. */
  long bytes() {
    return bytes;
  }
}
