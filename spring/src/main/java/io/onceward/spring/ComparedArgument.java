package io.onceward.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * An argument that belongs to what is asked, and not to one transmission or to the framework.
 *
 * @param bound whether it is made by setters, of the parameters of a web request
 */
record ComparedArgument(int index, Type type, boolean bound) {
  private static final Set<String> OF_ONE_TRANSMISSION =
      Set.of("RequestHeader", "CookieValue", "SessionAttribute", "RequestAttribute");

  /** What says that callers send it, whatever its type is. */
  private static final Set<String> OF_THE_CALLER =
      Set.of("RequestBody", "RequestParam", "PathVariable", "RequestPart", "MatrixVariable");

  private static final List<String> OF_THE_FRAMEWORK =
      List.of(
          "java.util.Locale",
          "java.util.TimeZone",
          "java.time.ZoneId",
          "jakarta.servlet.",
          "org.springframework.http.HttpHeaders",
          "org.springframework.http.HttpMethod",
          "org.springframework.security.",
          "org.springframework.ui.",
          "org.springframework.validation.",
          "org.springframework.web.");

  /** An expression that is one whole argument. */
  private static final Pattern ONE_ARGUMENT = Pattern.compile("\\s*#(\\w+)\\s*");

  /**
   * The arguments of a method that are compared: those that its fingerprint names, if it does.
   *
   * @param fingerprint the expression; an argument that it makes something of is not among these
   */
  static List<ComparedArgument> of(
      Method method, Class<?> target, String fingerprint, boolean handler) {
    List<ComparedArgument> compared = new ArrayList<>();
    MethodParameter[] parameters = new AnnotatedMethod(method).getMethodParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (fingerprint.isBlank() ? isContent(parameters[i]) : isNamed(parameters[i], fingerprint)) {
        refuseIfReadOnce(parameters[i].getParameterType());
        compared.add(
            new ComparedArgument(i, typeOf(method, target, i), handler && isBound(parameters[i])));
      }
    }
    return compared;
  }

  /** The type with what the class below its own has said of it. Of an entity, that of its body. */
  private static Type typeOf(Method method, Class<?> target, int index) {
    Type type = GenericTypeResolver.resolveType(method.getGenericParameterTypes()[index], target);
    ResolvableType resolved = ResolvableType.forType(type);
    if (!ReturnForm.hasType(resolved.resolve(), "org.springframework.http.HttpEntity")) {
      return type;
    }
    ResolvableType body = resolved.getGeneric(0);
    return body.resolve() == null ? Object.class : body.getType();
  }

  private static boolean isNamed(MethodParameter parameter, String fingerprint) {
    Matcher one = ONE_ARGUMENT.matcher(fingerprint);
    if (!one.matches()) {
      return false;
    }
    String name = one.group(1);
    parameter.initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
    return name.equals(parameter.getParameterName())
        || name.equals("a" + parameter.getParameterIndex())
        || name.equals("p" + parameter.getParameterIndex());
  }

  private static void refuseIfReadOnce(Class<?> type) {
    if (type.getName().startsWith("org.springframework.web.multipart.")
        || ReturnForm.hasType(type, "java.io.InputStream")
        || ReturnForm.hasType(type, "java.io.Reader")) {
      throw new IllegalStateException(
          "its argument "
              + type.getSimpleName()
              + " can be read only once, so it cannot be compared with a retry. Say what to compare"
              + " by fingerprint = \"#parameter\", or guard the path by onceward.http.routes.");
    }
  }

  private static boolean isContent(MethodParameter parameter) {
    Class<?> type = parameter.getParameterType();
    if (type.getName().startsWith("org.springframework.web.multipart.")) {
      return true;
    }
    return !isOfOneTransmission(parameter)
        && (is(parameter, OF_THE_CALLER) || !isOfTheFramework(type));
  }

  private static boolean isOfOneTransmission(MethodParameter parameter) {
    return is(parameter, OF_ONE_TRANSMISSION)
        || annotations(parameter).stream()
            .anyMatch(each -> each.getType().getName().startsWith("org.springframework.security."));
  }

  /** By annotations on it, on those annotations, and on what the method implements. */
  private static boolean is(MethodParameter parameter, Set<String> annotated) {
    return annotations(parameter).stream()
        .map(MergedAnnotation::getType)
        .anyMatch(type -> annotated.contains(type.getSimpleName()));
  }

  private static MergedAnnotations annotations(MethodParameter parameter) {
    return MergedAnnotations.from(parameter.getParameterAnnotations());
  }

  private static boolean isOfTheFramework(Class<?> type) {
    if (Principal.class.isAssignableFrom(type)) {
      return true;
    }
    String name = type.getName();
    for (String each : OF_THE_FRAMEWORK) {
      if (each.endsWith(".") ? name.startsWith(each) : name.equals(each)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBound(MethodParameter parameter) {
    return is(parameter, Set.of("ModelAttribute"))
        || (!is(parameter, OF_THE_CALLER)
            && !BeanUtils.isSimpleProperty(parameter.getParameterType()));
  }

  /**
   * Looks whether all of these can be compared.
   *
   * @throws IllegalStateException if a part of one would not be: two requests that differ in it
   *     alone would count as one
   */
  static void requireWhole(List<ComparedArgument> compared, @Nullable ValueCodec codec) {
    if (codec == null) {
      throw new IllegalStateException(
          "to compare its arguments, Jackson has to be there, or a bean of type ValueCodec; or"
              + " say fingerprint = Once.UNCHECKED");
    }
    for (ComparedArgument each : compared) {
      String hidden = codec.uncompared(each.type(), each.bound());
      if (hidden != null) {
        throw new IllegalStateException(
            "its argument of type "
                + each.type().getTypeName()
                + " has a part that cannot be compared, "
                + hidden
                + ": it can be set, and is not written as JSON. A request that differs in it alone"
                + " would get the reply of another. Give it a getter, or say what to compare, such"
                + " as fingerprint = \"{#order.id, #order.amount}\".");
      }
    }
  }
}
