package io.onceward.spring;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3, as Spring Boot 4 has it. */
final class Jackson3Codec implements ValueCodec {
  private final JsonMapper mapper;
  private final JsonMapper complete;
  private final JsonMapper plain =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  Jackson3Codec(JsonMapper mapper) {
    this.mapper = mapper;
    AnnotationIntrospector all = null;
    for (AnnotationIntrospector each :
        mapper.serializationConfig().getAnnotationIntrospector().allIntrospectors()) {
      AnnotationIntrospector next =
          each.getClass() == JacksonAnnotationIntrospector.class ? new ReadAndWrite() : each;
      all = all == null ? next : AnnotationIntrospector.pair(all, next);
    }
    complete =
        mapper.rebuild().annotationIntrospector(all == null ? new ReadAndWrite() : all).build();
  }

  /** Sees properties in both directions, also those that are read-only or write-only to callers. */
  private static final class ReadAndWrite extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonProperty.@Nullable Access findPropertyAccess(
        MapperConfig<?> config, Annotated annotated) {
      return null;
    }
  }

  @Override
  public byte[] write(@Nullable Object value, Type type) {
    try {
      return type == Object.class
          ? mapper.writeValueAsBytes(value)
          : mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
    } catch (JacksonException e) {
      throw new IllegalStateException(type + " cannot be written as JSON", e);
    }
  }

  @Override
  public @Nullable Object read(byte[] bytes, Type type) {
    try {
      // In a tree, a number keeps its digits: 10.00 comes back as 10.00. A time keeps its offset.
      return complete
          .readerFor(complete.constructType(type))
          .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .without(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .readValue(bytes);
    } catch (JacksonException e) {
      throw new IllegalStateException(type + " cannot be read back from JSON", e);
    }
  }

  @Override
  public Type anyType() {
    return JsonNode.class;
  }

  @Override
  public byte[] canonical(List<@Nullable Object> values) {
    return CanonicalJson.OF_REQUESTS.bytesOfAll((List<?>) tree(values));
  }

  @Override
  public byte[] canonicalWithNulls(List<@Nullable Object> values) {
    return CanonicalJson.OF_REQUESTS_WITH_NULLS.bytesOfAll((List<?>) tree(values));
  }

  @Override
  public boolean same(@Nullable Object written, @Nullable Object readBack) {
    return CanonicalJson.OF_VALUES
        .text(tree(written))
        .equals(CanonicalJson.OF_VALUES.text(tree(readBack)));
  }

  private Object tree(@Nullable Object value) {
    try {
      return plain.readValue(complete.writeValueAsBytes(value), Object.class);
    } catch (JacksonException e) {
      throw new IllegalStateException("it cannot be written as JSON", e);
    }
  }
}
