package io.onceward.replica;

import io.onceward.Decision;
import io.onceward.Decision.Done;
import io.onceward.Service;
import java.util.TreeSet;

/**
 * Which of the services that a node can host are in force. The log says so, never the node: a
 * command for a service that only some of the nodes know would be refused by the others, and the
 * replicas would differ for good (T1, E8).
 *
 * <p>A node that lacks a service which the log enables stops before it applies that entry.
 */
final class EnabledServices {
  /** As many as a directory can host. */
  static final int MOST = 255;

  private final Service service;
  private final TreeSet<String> names = new TreeSet<>();

  EnabledServices(Service service) {
    this.service = service;
    service.enable(names);
  }

  TreeSet<String> names() {
    return new TreeSet<>(names);
  }

  /** Throws if what an entry enables is not hosted here; nothing has changed then. */
  void requireHosted(long position, Request.EnableService r) {
    if (!service.offers().contains(r.name())) {
      throw new MissingServiceException(
          "entry " + position + " enables the service " + r.name(), service.offers());
    }
  }

  Decision enable(String name) {
    if (names.add(name)) {
      service.enable(names());
    }
    return new Done();
  }

  void restore(TreeSet<String> restored) {
    for (String name : restored) {
      if (!service.offers().contains(name)) {
        throw new MissingServiceException(
            "the snapshot has a state of the service " + name, service.offers());
      }
    }
    names.clear();
    names.addAll(restored);
    service.enable(names());
  }
}
