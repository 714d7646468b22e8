package io.onceward.spring;

import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON by Jackson 3, as Spring Boot 4 has it. */
final class Jackson3Codec implements ValueCodec {
  private final JsonMapper mapper;
  private final JsonMapper canonical;

  Jackson3Codec(JsonMapper mapper) {
    this.mapper = mapper;
    canonical =
        mapper
            .rebuild()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();
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
      // In a tree, a number keeps its digits: 10.00 comes back as 10.00.
      return mapper
          .readerFor(mapper.constructType(type))
          .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
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
    try {
      return canonical.writeValueAsBytes(values);
    } catch (JacksonException e) {
      throw new IllegalStateException("the arguments cannot be written as JSON", e);
    }
  }
}
