/**
 * The services that ship: key-value, counters, leases, the store of guards, and {@link
 * io.onceward.services.ServiceDirectory}, which hosts several services under their names in one
 * replica. Each service has a vocabulary (commands and replies with their bytes) that its typed
 * client uses too. They are deterministic, like everything that runs in {@code apply}.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.services;
