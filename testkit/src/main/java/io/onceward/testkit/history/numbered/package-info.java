/**
 * Services that tell their order: each is wrapped in {@code Numbered}, which puts the serial of the
 * command in front of its reply, so that a recorded history can be checked in linear time. They are
 * hosted by a server under test with {@code --service NAME=CLASS}. Start reading at {@code
 * Numbered}; {@code ListAppends} and {@code Accounts} are small services of the tests' own.
 */
@NullMarked
package io.onceward.testkit.history.numbered;

import org.jspecify.annotations.NullMarked;
