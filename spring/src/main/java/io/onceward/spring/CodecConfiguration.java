package io.onceward.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** JSON by the Jackson that the application has; by Jackson 3 where it has both. */
@Configuration(proxyBeanMethods = false)
class CodecConfiguration {
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "tools.jackson.databind.json.JsonMapper")
  static class Jackson3 {
    @Bean
    @ConditionalOnMissingBean(ValueCodec.class)
    Jackson3Codec oncewardCodec(ObjectProvider<tools.jackson.databind.json.JsonMapper> mapper) {
      return new Jackson3Codec(
          mapper.getIfAvailable(() -> tools.jackson.databind.json.JsonMapper.builder().build()));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "com.fasterxml.jackson.databind.ObjectMapper")
  static class Jackson2 {
    @Bean
    @ConditionalOnMissingBean(ValueCodec.class)
    Jackson2Codec oncewardJackson2Codec(
        ObjectProvider<com.fasterxml.jackson.databind.ObjectMapper> mapper) {
      return new Jackson2Codec(
          mapper.getIfAvailable(
              () -> new com.fasterxml.jackson.databind.ObjectMapper().findAndRegisterModules()));
    }
  }
}
