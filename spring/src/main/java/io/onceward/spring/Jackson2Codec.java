package io.onceward.spring;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotationIntrospectorPair;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2, as Spring Boot 3 has it. */
final class Jackson2Codec implements ValueCodec {
  private final ObjectMapper mapper;
  private final ObjectMapper complete;
  private final ObjectMapper plain = new ObjectMapper();

  Jackson2Codec(ObjectMapper mapper) {
    this.mapper = mapper;
    complete = mapper.copy();
    AnnotationIntrospector all = null;
    for (AnnotationIntrospector each :
        mapper.getSerializationConfig().getAnnotationIntrospector().allIntrospectors()) {
      AnnotationIntrospector next =
          each.getClass() == JacksonAnnotationIntrospector.class ? new ReadAndWrite() : each;
      all = all == null ? next : AnnotationIntrospectorPair.pair(all, next);
    }
    complete.setAnnotationIntrospector(all == null ? new ReadAndWrite() : all);
    plain.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  }

  /** Sees properties in both directions, also those that are read-only or write-only to callers. */
  private static final class ReadAndWrite extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonProperty.@Nullable Access findPropertyAccess(Annotated annotated) {
      return null;
    }
  }

  @Override
  public byte[] write(@Nullable Object value, Type type) {
    try {
      return type == Object.class
          ? mapper.writeValueAsBytes(value)
          : mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
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
          .without(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .readValue(bytes);
    } catch (IOException e) {
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
    } catch (IOException e) {
      throw new IllegalStateException("it cannot be written as JSON", e);
    }
  }
}
