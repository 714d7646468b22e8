/**
 * What clients of a real cluster did and heard, and whether that can be. A harness records with
 * {@code HistoryWriter}, one file per process, and has the files judged by {@code HistoryCheck}: in
 * linear time if the services tell their order ({@code numbered}), by search if they do not ({@code
 * search}). Start reading at {@code HistoryCheck}, then {@code History} and any of the named
 * checks.
 */
@NullMarked
package io.onceward.testkit.history;

import org.jspecify.annotations.NullMarked;
