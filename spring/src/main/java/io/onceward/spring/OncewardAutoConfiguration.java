package io.onceward.spring;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardListener;
import io.onceward.guard.MemoryStore;
import io.onceward.guard.Probe;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.DefaultBeanFactoryPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;

/**
 * Sets Onceward up. What depends on what the application has is in configurations of its own: the
 * database in {@link JdbcConfiguration}, the web in {@link WebConfiguration}, Jackson in {@link
 * CodecConfiguration}, Actuator in {@link ActuatorConfiguration}.
 */
@AutoConfiguration(
    afterName = {
      // Each by its name in Boot 3 and in Boot 4.
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
      "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@EnableConfigurationProperties(OncewardProperties.class)
@Import({
  ProxyRegistrar.class,
  CodecConfiguration.class,
  JdbcConfiguration.class,
  ClaimsConfiguration.class,
  WebConfiguration.class,
  ActuatorConfiguration.class
})
public class OncewardAutoConfiguration {
  private static final Log LOG = LogFactory.getLog(Once.class);
  private static final String INTERCEPTOR = "oncewardInterceptor";

  /** Just outside of Spring's transaction advice, which is the last of all. */
  private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

  /** The database's, where there is one; or one of the application's own, such as a cluster. */
  @Bean
  @ConditionalOnMissingBean(ClaimStore.class)
  MemoryStore oncewardMemoryStore(OncewardProperties properties) {
    if (properties.store() == OncewardProperties.Store.JDBC) {
      throw new IllegalStateException(
          "onceward.store is jdbc, but there is no data source. Add spring-boot-starter-jdbc and"
              + " spring.datasource.url, or set onceward.store to memory.");
    }
    MemoryStore.Builder builder =
        MemoryStore.builder()
            .maxEntries(properties.memory().maxEntries())
            .maxBytes(properties.memory().maxSize().toBytes());
    if (properties.maxReplySize() != null) {
      builder.maxReplyBytes((int) properties.maxReplySize().toBytes());
    }
    return builder.build();
  }

  /**
   * The guard that {@link Once} runs on. It knows what the exceptions of methods mean and how they
   * are remembered, so a guard of the application's own, for other purposes, does not replace it.
   */
  record GuardOfMethods(Guard guard) implements AutoCloseable {
    @Override
    public void close() {
      guard.close();
    }
  }

  @Bean
  GuardOfMethods oncewardGuardOfMethods(
      ClaimStore store,
      OncewardProperties properties,
      ObjectProvider<Probe> probe,
      ObjectProvider<SaidReplies> replies,
      ObjectProvider<GuardListener> listeners) {
    Guard.Builder builder =
        Guard.on(store)
            .classify(Ended::meaningOf)
            .businessReply(Ended::errorOf)
            .checkReply((id, reply) -> replies.getObject().accept(id, reply))
            .listener(heardBy(listeners))
            // Of methods alone, which may hand the outside the key of their run (CurrentRun).
            .retryUnknownFor(properties.retryUnknownFor());
    setUp(builder, properties);
    if (properties.maxReplySize() != null) {
      builder.maxReplyBytes((int) properties.maxReplySize().toBytes());
    }
    Probe only = probe.getIfUnique();
    if (only != null) {
      builder.probe(only);
    } else if (probe.stream().findAny().isPresent()) {
      throw new IllegalStateException(
          "There are several beans of type Probe and none of them is primary, so nobody would look"
              + " into unknown requests. Make it one, which tells them apart by"
              + " UnknownRequest.operation(), or mark one as @Primary.");
    }
    return new GuardOfMethods(builder.build());
  }

  /** The same for those who want to resolve requests, unless they have a guard of their own. */
  @Bean(destroyMethod = "")
  @ConditionalOnMissingBean
  Guard oncewardGuard(GuardOfMethods methods) {
    return methods.guard();
  }

  static void setUp(Guard.Builder builder, OncewardProperties properties) {
    builder
        .lease(properties.lease())
        .retention(properties.retention())
        .waitAtMost(properties.waitAtMost())
        .datedOnly(DatedOnly.of(properties));
  }

  /** All of them as one, each of whom hears, whatever those before it throw. */
  static GuardListener heardBy(ObjectProvider<GuardListener> listeners) {
    return GuardListener.all(listeners.orderedStream().toList());
  }

  @Bean
  BusinessExceptions oncewardBusinessExceptions(ObjectProvider<ExceptionCodec<?>> codecs) {
    return new BusinessExceptions(codecs.orderedStream().toList());
  }

  @Bean
  OnceMethods oncewardMethods(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<ValueCodec> codec,
      BusinessExceptions exceptions,
      ObjectProvider<WebSide> web) {
    return new OnceMethods(
        new OnceMethod.Surroundings(
            beans, codec.getIfAvailable(), exceptions, web.getIfAvailable() != null));
  }

  @Bean
  SaidReplies oncewardSaidReplies(
      OnceMethods methods, BusinessExceptions exceptions, ObjectProvider<RouteReplies> routes) {
    return new SaidReplies(methods, exceptions, routes.getIfAvailable());
  }

  /** Memory that an application has for itself must not take the place of a named database. */
  @Bean
  GuardHome oncewardGuardHome(
      GuardOfMethods methods,
      ClaimStore store,
      OncewardProperties properties,
      ObjectProvider<GuardHome.Entrance> entrance) {
    String name = store.getClass().getSimpleName();
    if (properties.store() == OncewardProperties.Store.JDBC
        && store.durability() == ClaimStore.Durability.PROCESS) {
      throw new IllegalStateException(
          "onceward.store is jdbc, but the application has a ClaimStore of its own, "
              + name
              + ", which forgets when the process ends. Let it be no bean, or remove the setting.");
    }
    return new GuardHome(
        methods.guard(),
        name.equals("JdbcClaimStore") ? "jdbc" : name,
        entrance.getIfAvailable(() -> any -> {}));
  }

  @Bean
  Homes oncewardHomes(GuardHome guard, ObjectProvider<TransactionHome> transaction) {
    Home home = transaction.getIfAvailable();
    return new Homes(guard, home == null ? guard : home);
  }

  @Bean
  Asking oncewardAsking(
      ObjectProvider<WebSide> web,
      ObjectProvider<CurrentPrincipal> principal,
      ObjectProvider<ValueCodec> codec) {
    WebSide side = web.getIfAvailable(() -> WebSide.NONE);
    CurrentPrincipal who = principal.getIfAvailable(() -> side::principal);
    @Nullable ValueCodec values = codec.getIfAvailable();
    return new Asking(side, who, values);
  }

  @Bean(INTERCEPTOR)
  OnceInterceptor oncewardInterceptor(
      OnceMethods methods,
      Asking asking,
      Homes homes,
      BusinessExceptions exceptions,
      ObjectProvider<WebSide> web) {
    return new OnceInterceptor(
        methods, asking, homes, exceptions, web.getIfAvailable(() -> WebSide.NONE));
  }

  /** Static, and with its advice by name: it is made before all other beans, to look at them. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static DefaultBeanFactoryPointcutAdvisor oncewardAdvisor(ConfigurableListableBeanFactory beans) {
    DefaultBeanFactoryPointcutAdvisor advisor = new DefaultBeanFactoryPointcutAdvisor();
    advisor.setPointcut(new AnnotationMatchingPointcut(null, Once.class, true));
    advisor.setAdviceBeanName(INTERCEPTOR);
    advisor.setBeanFactory(beans);
    advisor.setOrder(ORDER);
    return advisor;
  }

  /** Static, as it looks at beans of the application when they are made. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Innermost oncewardInnermost() {
    return new Innermost(INTERCEPTOR);
  }

  @Bean
  Guarantees oncewardGuarantees(
      ConfigurableListableBeanFactory beans,
      OnceMethods methods,
      Homes homes,
      ObjectProvider<Endpoints> endpoints,
      OncewardProperties properties) {
    Set<String> routes =
        properties.http().routes().stream()
            .map(OncewardProperties.Route::pattern)
            .collect(Collectors.toSet());
    return new Guarantees(beans, methods, homes, endpoints, routes);
  }

  /** When all methods are known. */
  @Bean
  ApplicationListener<ContextRefreshedEvent> oncewardDatedOnlyCheck(
      OnceMethods methods, OncewardProperties properties) {
    return started -> {
      List<String> unknown = DatedOnly.of(properties).unknown(methods, properties);
      if (!unknown.isEmpty()) {
        LOG.warn(
            "onceward.dated-only names "
                + unknown
                + ", which is no operation of a method and no route: it is for guards of the"
                + " application's own, or a slip");
      }
    };
  }
}
