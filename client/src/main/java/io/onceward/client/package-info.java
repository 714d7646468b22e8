/**
 * The client: {@link io.onceward.client.Onceward} connects to a cluster, its sessions and keyed
 * requests retry under the same id until they have a decision, its typed clients speak the language
 * of the services that ship.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.client;
