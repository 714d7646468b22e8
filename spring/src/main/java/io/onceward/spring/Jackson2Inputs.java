package io.onceward.spring;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what Jackson 2 reads of a type, and of all types within it, with what it writes. */
final class Jackson2Inputs {
  private final ObjectMapper mapper;
  private final boolean bound;
  private final Set<JavaType> seen = new HashSet<>();

  Jackson2Inputs(ObjectMapper mapper, boolean bound) {
    this.mapper = mapper;
    this.bound = bound;
  }

  /** Names a property that is read and not written, or null if there is none. */
  @Nullable String unseen(JavaType type) {
    if (!seen.add(type)) {
      return null;
    }
    if (type.isContainerType() || type.isReferenceType()) {
      return type.getContentType() == null ? null : unseen(type.getContentType());
    }
    Class<?> raw = type.getRawClass();
    if (Inputs.isOfOthers(raw)) {
      return null;
    }
    BeanDescription read = mapper.getDeserializationConfig().introspect(type);
    for (NamedType each :
        mapper
            .getSubtypeResolver()
            .collectAndResolveSubtypesByTypeId(
                mapper.getDeserializationConfig(), read.getClassInfo())) {
      String hidden =
          each.getType() == raw || !raw.isAssignableFrom(each.getType())
              ? null
              : unseen(mapper.getTypeFactory().constructSpecializedType(type, each.getType()));
      if (hidden != null) {
        return hidden;
      }
    }
    return Inputs.isMade(raw) ? unseenOf(type, read) : null;
  }

  private @Nullable String unseenOf(JavaType type, BeanDescription read) {
    Class<?> raw = type.getRawClass();
    Map<String, String> written = new HashMap<>();
    BeanDescription shown = mapper.getSerializationConfig().introspect(type);
    if (shown.findJsonValueAccessor() != null) {
      return null;
    }
    try {
      JsonSerializer<?> serializer =
          mapper.getSerializerProviderInstance().findValueSerializer(type);
      if (!(serializer instanceof BeanSerializerBase)) {
        // One of the application's own, or of a module, which knows what it does.
        return Inputs.isUnknown(serializer.getClass()) && Inputs.hasState(raw)
            ? raw.getSimpleName()
            : null;
      }
      serializer.properties().forEachRemaining(each -> written.put(each.getName(), ""));
    } catch (JsonMappingException e) {
      throw new IllegalStateException(type + " cannot be written as JSON", e);
    }
    for (BeanPropertyDefinition each : shown.findProperties()) {
      written.computeIfPresent(each.getName(), (name, any) -> each.getInternalName());
    }
    Set<String> ignored =
        mapper
            .getDeserializationConfig()
            .getDefaultPropertyIgnorals(raw, read.getClassInfo())
            .findIgnoredForDeserialization();
    for (BeanPropertyDefinition each : read.findProperties()) {
      if (!each.couldDeserialize() || ignored.contains(each.getName())) {
        continue;
      }
      if (!written.containsKey(each.getName())) {
        return raw.getSimpleName() + "." + each.getName();
      }
      String hidden = unseen(each.getPrimaryType());
      if (hidden != null) {
        return hidden;
      }
    }
    if (read.findAnySetterAccessor() != null && shown.findAnyGetter() == null) {
      return raw.getSimpleName() + "." + read.findAnySetterAccessor().getName();
    }
    return Inputs.unseen(raw, written.values(), bound);
  }
}
