package io.onceward.spring;

import java.lang.reflect.Method;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final Pattern VARIABLE = Pattern.compile("#(\\w+)");
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

  /** Whether it can be told when only some of the arguments are known. */
  boolean isToldBy(Method method, IntPredicate known) {
    String[] names = NAMES.getParameterNames(method);
    Matcher variables = VARIABLE.matcher(parsed.getExpressionString());
    while (variables.find()) {
      String name = variables.group(1);
      boolean told = name.equals("root") || name.equals("this");
      for (int i = 0; i < method.getParameterCount(); i++) {
        told |=
            known.test(i)
                && (name.equals("a" + i)
                    || name.equals("p" + i)
                    || (names != null && name.equals(names[i])));
      }
      if (!told) {
        return false;
      }
    }
    return true;
  }

  @Nullable Object value(Object target, Method method, @Nullable Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(target, method, arguments, NAMES);
    context.setBeanResolver(new BeanFactoryResolver(beans));
    return parsed.getValue(context);
  }
}
