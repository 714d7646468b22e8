package io.onceward.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** An expression over the arguments of a call, by their names; {@code @name} is a bean. */
final class Expression {
  private static final SpelExpressionParser PARSER = new SpelExpressionParser();
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final org.springframework.expression.Expression parsed;
  private final BeanFactory beans;

  private Expression(org.springframework.expression.Expression parsed, BeanFactory beans) {
    this.parsed = parsed;
    this.beans = beans;
  }

  /** Null for an empty text. */
  static @Nullable Expression of(String what, String text, BeanFactory beans) {
    if (text.isBlank()) {
      return null;
    }
    try {
      return new Expression(PARSER.parseExpression(text), beans);
    } catch (ParseException e) {
      throw new IllegalStateException(
          "its " + what + " \"" + text + "\" is no expression: " + e.getMessage(), e);
    }
  }

  @Nullable Object value(Object target, Method method, @Nullable Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(target, method, arguments, NAMES);
    context.setBeanResolver(new BeanFactoryResolver(beans));
    return parsed.getValue(context);
  }
}
