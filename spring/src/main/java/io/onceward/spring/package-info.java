/**
 * Onceward in a Spring Boot application: {@link io.onceward.spring.Once} on a method is all that a
 * user has to know. {@link io.onceward.spring.OnceInterceptor} has the way of a call in one place.
 */
@NullMarked
package io.onceward.spring;

import org.jspecify.annotations.NullMarked;
