package io.onceward.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.StringUtils;

/** Finds the manager that a method's {@code @Transactional} names, as Spring's advice does. */
final class ManagerOfMethods {
  private final BeanFactory beans;
  private final @Nullable TransactionAspectSupport advice;

  /**
   * @param advice the one at work; null if there is none, or several
   */
  ManagerOfMethods(BeanFactory beans, @Nullable TransactionAspectSupport advice) {
    this.beans = beans;
    this.advice = advice;
  }

  TransactionManager of(TransactionAttribute attribute, Class<?> target) {
    String named = attribute.getQualifier();
    if (StringUtils.hasText(named)) {
      return qualified(named);
    }
    String ofTheType = BeanFactoryAnnotationUtils.getQualifierValue(target);
    if (StringUtils.hasText(ofTheType)) {
      try {
        return qualified(ofTheType);
      } catch (NoSuchBeanDefinitionException e) {
        // It qualifies something else.
      }
    }
    TransactionManager byDefault = advice == null ? null : advice.getTransactionManager();
    return byDefault == null ? beans.getBean(TransactionManager.class) : byDefault;
  }

  private TransactionManager qualified(String name) {
    return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, name);
  }
}
