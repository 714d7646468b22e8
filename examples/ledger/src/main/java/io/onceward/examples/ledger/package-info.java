/**
 * A service of one's own, written against the public interface only: accounts, deposits, transfers,
 * and books that must balance.
 */
@org.jspecify.annotations.NullMarked
package io.onceward.examples.ledger;
