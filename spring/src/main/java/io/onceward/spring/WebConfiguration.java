package io.onceward.spring;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.GuardListener;
import io.onceward.http.IdempotencyFilter;
import io.onceward.http.KeySource;
import io.onceward.http.Route;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The web, where there is a servlet container. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(
    name = {
      "jakarta.servlet.Filter",
      "org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping"
    })
@Import(Problems.class)
class WebConfiguration {
  @Bean
  AnswerWriter oncewardAnswerWriter(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
    return new AnswerWriter(adapters);
  }

  @Bean
  ArgumentRecorder oncewardArgumentRecorder(ObjectProvider<RequestMappingHandlerAdapter> adapters) {
    return new ArgumentRecorder(adapters);
  }

  @Bean
  Arrival oncewardArrival() {
    return new Arrival();
  }

  @Bean
  ErrorAnswers oncewardErrorAnswers(
      ObjectProvider<HandlerExceptionResolver> resolvers,
      @Value("${server.error.path:${error.path:${spring.web.error.path:/error}}}") String page) {
    return new ErrorAnswers(resolvers, page);
  }

  @Bean
  FailedRetries oncewardFailedRetries(
      OnceMethods methods,
      Asking asking,
      Homes homes,
      BusinessExceptions exceptions,
      AnswerWriter writer,
      ErrorAnswers errors) {
    return new FailedRetries(methods, asking, homes, exceptions, writer, errors);
  }

  @Bean
  ServletSide oncewardServletSide(AnswerWriter writer, ErrorAnswers errors) {
    return new ServletSide(writer, errors);
  }

  @Bean
  ResponseStatusCodec oncewardResponseStatusCodec() {
    return new ResponseStatusCodec();
  }

  @Bean
  Handlers oncewardHandlers(ObjectProvider<RequestMappingHandlerMapping> mappings) {
    return new Handlers(mappings);
  }

  /** For the configured paths; not for those whose handler has {@link Once} and claims itself. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty("onceward.http.routes[0].pattern")
  static class ConfiguredRoutes {
    @Bean
    IdempotencyFilter oncewardIdempotencyFilter(
        ClaimStore store, OncewardProperties properties, ObjectProvider<GuardListener> listeners) {
      IdempotencyFilter.Builder builder =
          IdempotencyFilter.on(store)
              .otherwise(Route.unguarded())
              .errorPage("/error")
              .guard(
                  guard -> {
                    OncewardAutoConfiguration.setUp(guard, properties);
                    guard.listener(OncewardAutoConfiguration.heardBy(listeners));
                  });
      if (properties.maxReplySize() != null) {
        builder.maxResponseBytes((int) properties.maxReplySize().toBytes());
      }
      builder.storeHeaders(properties.http().storeHeaders().toArray(new String[0]));
      for (OncewardProperties.Route each : properties.http().routes()) {
        try {
          builder.route(each.pattern(), routeOf(each));
        } catch (IllegalArgumentException e) {
          throw new IllegalStateException(
              "onceward.http.routes, " + each.pattern() + ": " + e.getMessage(), e);
        }
      }
      return builder.build();
    }

    private static Route routeOf(OncewardProperties.Route settings) {
      Route route =
          (settings.keyRequired() ? Route.required() : Route.optional())
              .serverErrors(settings.serverErrors())
              .statuses(settings.statuses())
              .maxRequestBytes((int) settings.maxRequestSize().toBytes())
              .maxParameters(settings.maxParameters())
              .bodies(settings.bodies())
              .mismatchStatus(settings.mismatchStatus());
      KeySource source = keySourceOf(settings);
      Route keyed = source == null ? route : route.keyFrom(source);
      return settings.handedOutAsWritten() ? keyed.handedOutAsWritten() : keyed;
    }

    private static @Nullable KeySource keySourceOf(OncewardProperties.Route settings) {
      if (settings.keyBodyHash()) {
        return KeySource.bodyHash();
      }
      if (settings.keyJson() != null) {
        return KeySource.json(settings.keyJson());
      }
      return settings.keyHeader() == null ? null : KeySource.header(settings.keyHeader());
    }

    @Bean
    FilterRegistrationBean<Filter> oncewardFilterRegistration(
        @Qualifier("oncewardIdempotencyFilter") IdempotencyFilter filter,
        Handlers handlers,
        OncewardProperties properties) {
      FilterRegistrationBean<Filter> registration =
          new FilterRegistrationBean<>(new UnlessAnnotated(filter, handlers));
      registration.setName("oncewardIdempotency");
      registration.setOrder(properties.http().filterOrder());
      registration.setAsyncSupported(true);
      registration.setDispatcherTypes(
          EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.FORWARD));
      return registration;
    }

    /** The filter itself is a bean too, which Boot would register a second time. */
    @Bean
    FilterRegistrationBean<IdempotencyFilter> oncewardFilterAlone(
        @Qualifier("oncewardIdempotencyFilter") IdempotencyFilter filter) {
      FilterRegistrationBean<IdempotencyFilter> registration = new FilterRegistrationBean<>(filter);
      registration.setName("oncewardIdempotencyAlone");
      registration.setEnabled(false);
      return registration;
    }

    @Bean
    @ConditionalOnBean(ValueCodec.class)
    RouteReplies oncewardRouteReplies(OncewardProperties properties, ValueCodec codec) {
      return new RouteReplies(properties, codec);
    }

    @Bean
    RouteGuarantees oncewardRouteGuarantees(ClaimStore store, OncewardProperties properties) {
      return new RouteGuarantees(store, properties);
    }
  }
}
