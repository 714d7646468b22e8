/**
 * What runs in the processes of clients: requests of every kind, some of them sent again on
 * purpose, and a history of all that was asked and heard. Start reading at {@link
 * io.onceward.torture.client.ClientProgram}.
 */
@NullMarked
package io.onceward.torture.client;

import org.jspecify.annotations.NullMarked;
