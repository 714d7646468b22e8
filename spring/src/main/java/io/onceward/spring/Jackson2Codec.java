package io.onceward.spring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2, as Spring Boot 3 has it. */
final class Jackson2Codec implements ValueCodec {
  private final ObjectMapper mapper;
  private final ObjectMapper canonical;

  Jackson2Codec(ObjectMapper mapper) {
    this.mapper = mapper;
    canonical = mapper.copy();
    canonical.configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    canonical.setConfig(
        canonical.getSerializationConfig().with(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY));
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
      // In a tree, a number keeps its digits: 10.00 comes back as 10.00.
      return mapper
          .readerFor(mapper.constructType(type))
          .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
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
    try {
      return canonical.writeValueAsBytes(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the arguments cannot be written as JSON", e);
    }
  }
}
