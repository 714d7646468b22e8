/**
 * The network between nodes and clients: everything passes a small TCP proxy, so that each way from
 * one party to another can be slowed, stalled and cut by itself. With root, nodes also have network
 * namespaces of their own, where packets get lost. Start reading at {@link
 * io.onceward.torture.net.Network}.
 */
@NullMarked
package io.onceward.torture.net;

import org.jspecify.annotations.NullMarked;
