/**
 * The replicated home in TLA+ (the resources beside this package) and the command that lets TLC
 * visit all of its states. {@code Model} is the command; {@code Check} lists what is checked and
 * which mutants must fail; {@code Sessions.tla} is where to start reading the model itself.
 */
@NullMarked
package io.onceward.model;

import org.jspecify.annotations.NullMarked;
