/**
 * A seeded, single-threaded simulator that drives the code that ships, and an auditor that shares
 * none of it. Start reading at the program that runs seeds.
 */
@NullMarked
package io.onceward.testkit;

import org.jspecify.annotations.NullMarked;
