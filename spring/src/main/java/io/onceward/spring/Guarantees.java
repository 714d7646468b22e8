package io.onceward.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
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

  private final ConfigurableListableBeanFactory beans;
  private final OnceMethods methods;
  private final Homes homes;
  private final ObjectProvider<Endpoints> endpoints;
  private final Map<String, String> byName = new TreeMap<>();

  Guarantees(
      ConfigurableListableBeanFactory beans,
      OnceMethods methods,
      Homes homes,
      ObjectProvider<Endpoints> endpoints) {
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
