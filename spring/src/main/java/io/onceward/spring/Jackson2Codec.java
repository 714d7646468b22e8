package io.onceward.spring;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotationIntrospectorPair;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** JSON by Jackson 2, as Spring Boot 3 has it. */
final class Jackson2Codec implements ValueCodec {
  private static final JsonInclude.Value ALL =
      JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);

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
    complete.setDefaultPropertyInclusion(ALL);
    plain.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  }

  /**
   * Sees properties in both directions, also those that are read-only or write-only to callers, and
   * whatever value they have.
   */
  private static final class ReadAndWrite extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonProperty.@Nullable Access findPropertyAccess(Annotated annotated) {
      return null;
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(
        MapperConfig<?> config, Annotated annotated) {
      JsonIgnoreProperties.Value ignored = super.findPropertyIgnoralByName(config, annotated);
      return ignored.getAllowSetters() || ignored.getAllowGetters()
          ? ignored.withoutIgnored()
          : ignored;
    }

    @Override
    public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
      return ALL;
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
  public byte[] canonical(List<Typed> values) {
    return CanonicalJson.OF_REQUESTS.bytesOfAll(trees(values));
  }

  @Override
  public byte[] canonicalWithNulls(List<Typed> values) {
    return CanonicalJson.OF_REQUESTS_WITH_NULLS.bytesOfAll(trees(values));
  }

  @Override
  public @Nullable String uncompared(Type type, boolean bound) {
    return new Jackson2Inputs(complete, bound).unseen(complete.constructType(type));
  }

  @Override
  public boolean same(@Nullable Object written, @Nullable Object readBack) {
    return CanonicalJson.OF_VALUES
        .text(tree(written, Object.class))
        .equals(CanonicalJson.OF_VALUES.text(tree(readBack, Object.class)));
  }

  @Override
  public boolean sameBytes(byte[] written, byte[] again) {
    try {
      return CanonicalJson.OF_VALUES
          .text(plain.readValue(written, Object.class))
          .equals(CanonicalJson.OF_VALUES.text(plain.readValue(again, Object.class)));
    } catch (IOException e) {
      throw new IllegalStateException("it cannot be read back from JSON", e);
    }
  }

  private List<@Nullable Object> trees(List<Typed> values) {
    List<@Nullable Object> trees = new ArrayList<>();
    values.forEach(each -> trees.add(tree(each.value(), each.type())));
    return trees;
  }

  private @Nullable Object tree(@Nullable Object value, Type type) {
    try {
      return tree(value, complete.constructType(type));
    } catch (IOException e) {
      throw new IllegalStateException("it cannot be written as JSON", e);
    }
  }

  private @Nullable Object tree(@Nullable Object value, JavaType declared) throws IOException {
    if (value == null) {
      return null;
    }
    boolean tells =
        !declared.isJavaLangObject() && ClassUtils.isAssignableValue(declared.getRawClass(), value);
    JavaType type = tells ? declared : complete.constructType(value.getClass());
    Object shown = value;
    if (type.isContainerType() && innermost(type).isJavaLangObject()) {
      // What an element is, it can tell only itself.
      shown = eachByItself(value, type.getContentType());
      type = complete.constructType(Object.class);
    } else if (type.isPrimitive()) {
      type = complete.constructType(value.getClass());
    }
    JavaType held = complete.getTypeFactory().constructParametricType(Held.class, type);
    Map<?, ?> tree =
        plain.readValue(complete.writerFor(held).writeValueAsBytes(new Held<>(shown)), Map.class);
    return tree.get("value");
  }

  private static JavaType innermost(JavaType type) {
    JavaType at = type;
    while (at.isContainerType()) {
      at = at.getContentType();
    }
    return at;
  }

  private Object eachByItself(Object container, JavaType unknown) throws IOException {
    if (container instanceof Map<?, ?> map) {
      Map<Object, @Nullable Object> trees = new LinkedHashMap<>();
      for (Map.Entry<?, ?> each : map.entrySet()) {
        trees.put(each.getKey(), tree(each.getValue(), unknown));
      }
      return trees;
    }
    if (container instanceof Collection<?> || container instanceof Object[]) {
      List<@Nullable Object> trees = new ArrayList<>();
      for (Object each :
          container instanceof Collection<?> all ? all : Arrays.asList((Object[]) container)) {
        trees.add(tree(each, unknown));
      }
      return trees;
    }
    return container;
  }
}
