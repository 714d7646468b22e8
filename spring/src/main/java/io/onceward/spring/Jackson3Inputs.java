package io.onceward.spring;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.ser.bean.BeanSerializerBase;

/** Compares what Jackson 3 reads of a type, and of all types within it, with what it writes. */
final class Jackson3Inputs {
  private final JsonMapper mapper;
  private final boolean bound;
  private final Set<JavaType> seen = new HashSet<>();

  Jackson3Inputs(JsonMapper mapper, boolean bound) {
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
    ClassIntrospector reading = mapper.deserializationConfig().classIntrospectorInstance();
    AnnotatedClass annotated = reading.introspectClassAnnotations(type);
    BeanDescription read = reading.introspectForDeserialization(type, annotated);
    for (NamedType each :
        mapper
            .deserializationConfig()
            .getSubtypeResolver()
            .collectAndResolveSubtypesByTypeId(
                mapper.deserializationConfig(), read.getClassInfo())) {
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
    ClassIntrospector writing = mapper.serializationConfig().classIntrospectorInstance();
    BeanDescription shown =
        writing.introspectForSerialization(type, writing.introspectClassAnnotations(type));
    if (shown.findJsonValueAccessor() != null) {
      return null;
    }
    try {
      ValueSerializer<?> serializer = mapper._serializationContext().findValueSerializer(type);
      if (!(serializer instanceof BeanSerializerBase)) {
        // One of the application's own, or of a module, which knows what it does.
        return Inputs.isUnknown(serializer.getClass()) && Inputs.hasState(raw)
            ? raw.getSimpleName()
            : null;
      }
      serializer.properties().forEachRemaining(each -> written.put(each.getName(), ""));
    } catch (JacksonException e) {
      throw new IllegalStateException(type + " cannot be written as JSON", e);
    }
    for (BeanPropertyDefinition each : shown.findProperties()) {
      written.computeIfPresent(each.getName(), (name, any) -> each.getInternalName());
    }
    Set<String> ignored =
        mapper
            .deserializationConfig()
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
