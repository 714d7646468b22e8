package io.onceward.spring;

import org.jspecify.annotations.Nullable;

/**
 * Who asks: part of every identity, so that nobody is given the reply of somebody else. Default:
 * the user principal of the web request; nobody elsewhere. Declare a bean to tell it otherwise, for
 * example by the tenant of a token.
 */
@FunctionalInterface
public interface CurrentPrincipal {
  /** A name, or null for nobody. */
  @Nullable String name();
}
