package io.onceward.spring;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultBeanFactoryPointcutAdvisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Marks the moment in which a method with {@link Once} is reached. Bean Validation puts its advice
 * inside of all other, so what it refuses fails within the run; but the method never ran. Has no
 * order, so that it comes after those that add advice and have one.
 */
final class Innermost implements BeanPostProcessor {
  private static final String REACHED = Innermost.class.getName() + ".reached";

  /** Notes for the invocation, and all its copies, that nothing else stands in between. */
  private record Mark() implements MethodInterceptor {
    @Override
    public Object invoke(MethodInvocation invocation) throws Throwable {
      if (invocation instanceof ProxyMethodInvocation proxied) {
        proxied.setUserAttribute(REACHED, true);
      }
      return invocation.proceed();
    }
  }

  private final String interceptor;
  private final Advisor mark =
      new DefaultPointcutAdvisor(
          new AnnotationMatchingPointcut(null, Once.class, true), new Mark());

  /**
   * @param interceptor the name of the advice whose methods are marked
   */
  Innermost(String interceptor) {
    this.interceptor = interceptor;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof Advised advised && !advised.isFrozen() && isGuarded(advised)) {
      advised.addAdvisor(mark);
    }
    return bean;
  }

  private boolean isGuarded(Advised advised) {
    for (Advisor each : advised.getAdvisors()) {
      if (each instanceof DefaultBeanFactoryPointcutAdvisor named
          && interceptor.equals(named.getAdviceBeanName())) {
        return true;
      }
    }
    return false;
  }

  /** A run of this invocation begins. */
  static void begin(ProxyMethodInvocation invocation) {
    invocation.setUserAttribute(REACHED, false);
  }

  /** Whether this is what validation said of the arguments, before the method was reached. */
  static boolean refused(MethodInvocation invocation, Throwable thrown) {
    return isOfValidation(thrown)
        && invocation instanceof ProxyMethodInvocation proxied
        && Boolean.FALSE.equals(proxied.getUserAttribute(REACHED))
        && isMarked(proxied.getProxy());
  }

  static boolean isOfValidation(Throwable failure) {
    return ReturnForm.hasType(failure.getClass(), "jakarta.validation.ValidationException")
        || ReturnForm.hasType(
            failure.getClass(), "org.springframework.validation.method.MethodValidationException")
        || ReturnForm.hasType(
            failure.getClass(),
            "org.springframework.web.method.annotation.HandlerMethodValidationException");
  }

  private static boolean isMarked(Object proxy) {
    if (proxy instanceof Advised advised) {
      for (Advisor each : advised.getAdvisors()) {
        if (each.getAdvice() instanceof Mark) {
          return true;
        }
      }
    }
    return false;
  }
}
