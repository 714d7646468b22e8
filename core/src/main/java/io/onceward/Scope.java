package io.onceward;

/**
 * Whose keys are told apart from whose: a tenant, a user, a site (rule K1). The same key in two
 * scopes names two requests. Retention and "dated ids only" are set per scope.
 *
 * @param name at most 128 bytes in UTF-8, without lone surrogates; may be empty
 */
public record Scope(String name) {
  /** For those who have nothing to tell apart. */
  public static final Scope NONE = new Scope("");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if the name is too long or not well-formed
   */
  public Scope {
    IdText.utf8("the name of a scope", name, 0);
  }

  @Override
  public String toString() {
    return name;
  }
}
