package io.onceward.spring;

import io.onceward.guard.ClaimStore;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the store is. That requests are unknown is work for an operator and no illness, so it is told
 * and changes nothing. A store that does not answer is one; restarting the process would not cure
 * it, so it is no part of liveness.
 */
record Pulse(ClaimStore store) {
  private static final int COUNTED = 100;

  /**
   * What there is to tell.
   *
   * @throws io.onceward.guard.StoreUnavailableException if the store does not answer
   */
  Map<String, Object> details() {
    int unknown = store.unknowns(COUNTED).size();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", store.getClass().getSimpleName());
    details.put("unknown", unknown < COUNTED ? (Object) unknown : COUNTED + " or more");
    return details;
  }
}
