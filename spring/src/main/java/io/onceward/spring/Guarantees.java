package io.onceward.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;

/**
 * Looks at every method with {@link Once} when the application has come up: says which promise
 * holds for it, and stops the application where none would.
 */
final class Guarantees implements SmartInitializingSingleton {
  private static final Log LOG = LogFactory.getLog(Once.class);
  private static final Set<String> CHANGE_ANSWERS =
      Set.of(
          "org.springframework.aop.aspectj.AspectJAroundAdvice",
          "org.springframework.aop.aspectj.AspectJAfterReturningAdvice",
          "org.springframework.security.authorization.method.AuthorizationManagerAfterMethodInterceptor",
          "org.springframework.security.authorization.method.AuthorizeReturnObjectMethodInterceptor",
          "org.springframework.security.authorization.method.PostFilterAuthorizationMethodInterceptor");

  /** A variable that is no property of the bean. */
  private static final Pattern NOT_OF_THE_BEAN = Pattern.compile("#(?!root\\b|this\\b)|@");

  private final ConfigurableListableBeanFactory beans;
  private final OnceMethods methods;
  private final Homes homes;
  private final ObjectProvider<Endpoints> endpoints;
  private final Set<String> routes;
  private final Map<String, String> byName = new TreeMap<>();
  private final Map<String, Map<String, String>> scopesByOperation = new HashMap<>();

  /**
   * @param routes the names of what the filter guards, which are identities too
   */
  Guarantees(
      ConfigurableListableBeanFactory beans,
      OnceMethods methods,
      Homes homes,
      ObjectProvider<Endpoints> endpoints,
      Set<String> routes) {
    this.routes = routes;
    this.beans = beans;
    this.methods = methods;
    this.homes = homes;
    this.endpoints = endpoints;
  }

  /** The promise for each method, as it was said at the start. */
  Map<String, String> byName() {
    return byName;
  }

  @Override
  public void afterSingletonsInstantiated() {
    for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
      Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : typeOf(name);
      if (type != null && !type.getName().startsWith("org.springframework.")) {
        look(name, type);
      }
    }
    byName.forEach((what, guarantee) -> LOG.info(what + " is " + guarantee));
  }

  private @Nullable Class<?> typeOf(String name) {
    Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
    return type == null ? null : ClassUtils.getUserClass(type);
  }

  private void look(String name, Class<?> type) {
    MethodIntrospector.MetadataLookup<@Nullable Once> lookup = OnceMethods::annotationOf;
    for (Method method : MethodIntrospector.selectMethods(type, lookup).keySet()) {
      String called = type.getSimpleName() + "." + method.getName();
      refuseIfUnseen(name, method, called);
      OnceMethod once = methods.of(method, type);
      refuseIfShared(name, once, called);
      if (once.isHandler()) {
        refuseIfChangedOutside(name, once, called);
      }
      Home home = homes.of(once);
      String objection = home.objection(once);
      if (objection != null) {
        throw new IllegalStateException("@Once on " + called + ": " + objection);
      }
      Endpoints web = endpoints.getIfAvailable();
      String endpoint = web == null ? "" : web.of(type, method);
      byName.put(
          endpoint.isEmpty() ? once.operation() : endpoint + " (" + once.operation() + ")",
          home.guarantee());
    }
  }

  /**
   * Identities tell no beans apart: two of one class would answer for each other. What tells them
   * apart has to be seen now, in a scope that depends on nothing but the bean.
   */
  private void refuseIfShared(String bean, OnceMethod method, String called) {
    Map<String, String> scopes =
        scopesByOperation.computeIfAbsent(method.operation(), any -> new LinkedHashMap<>());
    String scope = scopeOf(bean, method);
    for (Map.Entry<String, String> other : scopes.entrySet()) {
      if (other.getKey().equals(bean) || !(scope.isEmpty() || other.getValue().equals(scope))) {
        continue;
      }
      throw new IllegalStateException(
          "@Once on "
              + called
              + ": the beans "
              + other.getKey()
              + " and "
              + bean
              + " both have the operation "
              + method.operation()
              + ", so a request to one would be answered with the reply of the other. Tell them"
              + " apart by a scope that is a property of the bean and nothing else, such as"
              + " @Once(scope = \"#root.region\"), or by a class for each.");
    }
    scopes.put(bean, scope);
    if (routes.contains(method.operation())) {
      throw new IllegalStateException(
          "@Once on "
              + called
              + ": its operation is the pattern of a route in onceward.http.routes, so their"
              + " requests would be answered with each other's replies. Give it another operation.");
    }
  }

  /** What the scope of a bean's requests always is; empty if that depends on the request. */
  private String scopeOf(String bean, OnceMethod method) {
    Expression scope = method.scope();
    if (scope == null
        || NOT_OF_THE_BEAN.matcher(method.once().scope()).find()
        || !beans.isSingleton(bean)) {
      return "";
    }
    Object proxy = beans.getBean(bean);
    Object target = AopProxyUtils.getSingletonTarget(proxy);
    try {
      Object value =
          scope.value(
              target == null ? proxy : target,
              method.method(),
              new Object[method.method().getParameterCount()]);
      return value == null ? "" : value.toString();
    } catch (RuntimeException e) {
      return "";
    }
  }

  /** What goes out is what was stored, so whatever may change an answer has to stand inside. */
  private void refuseIfChangedOutside(String name, OnceMethod method, String called) {
    Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
    for (Advisor each : bean instanceof Advised advised ? advised.getAdvisors() : new Advisor[0]) {
      if (each.getAdvice() instanceof OnceInterceptor) {
        return;
      }
      if (mayChangeAnswers(each.getAdvice())
          && (!(each instanceof PointcutAdvisor pointed)
              || pointed
                  .getPointcut()
                  .getMethodMatcher()
                  .matches(method.method(), method.target()))) {
        throw new IllegalStateException(
            "@Once on "
                + called
                + ": advice around it, "
                + each
                + ", may change what it answers after that has been remembered, and a retry would"
                + " not get the same. Give the advice the lowest precedence"
                + " (@Order(Ordered.LOWEST_PRECEDENCE)), so that it stands inside, or put it on a"
                + " method inside.");
      }
    }
  }

  private static boolean mayChangeAnswers(Advice advice) {
    String name = advice.getClass().getName();
    return CHANGE_ANSWERS.contains(name)
        || (advice instanceof MethodInterceptor && !name.startsWith("org.springframework."));
  }

  private void refuseIfUnseen(String name, Method method, String called) {
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers)
        || Modifier.isStatic(modifiers)
        || Modifier.isFinal(modifiers)
        || Modifier.isFinal(method.getDeclaringClass().getModifiers())) {
      throw new IllegalStateException(
          "@Once on "
              + called
              + " would have no effect: Spring sees no calls of methods that are private, static or"
              + " final, or of final classes");
    }
    if (beans.isSingleton(name) && beans.containsSingleton(name)) {
      Object bean = beans.getSingleton(name);
      if (bean != null && !AopUtils.isAopProxy(bean)) {
        throw new IllegalStateException(
            "@Once on "
                + called
                + " would have no effect: the bean "
                + name
                + " was made before Onceward could look at it. Is it needed by a BeanPostProcessor?");
      }
    }
  }
}
