package io.onceward.cli;

import io.onceward.Service;
import io.onceward.services.ServiceDirectory;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;

/** The services of a node: those that ship, and those that the user names by class. */
final class HostedServices {
  private HostedServices() {}

  /**
   * All services of a node.
   *
   * @param classes of the user's services, by name
   * @throws IllegalArgumentException if one cannot be made; the message says which and why
   */
  static Service of(Map<String, String> classes) {
    ServiceDirectory directory = ServiceDirectory.shipped();
    for (Map.Entry<String, String> entry : classes.entrySet()) {
      directory = directory.with(entry.getKey(), make(entry.getKey(), entry.getValue()));
    }
    return directory;
  }

  private static Service make(String name, String className) {
    try {
      Object made = Class.forName(className).getConstructor().newInstance();
      if (made instanceof Service service) {
        return service;
      }
      throw wrong(name, className, "is not an io.onceward.Service", null);
    } catch (ClassNotFoundException missing) {
      throw wrong(
          name, className, "is not on the class path; add its jar to ONCEWARD_CLASSPATH", missing);
    } catch (NoSuchMethodException | IllegalAccessException hidden) {
      throw wrong(name, className, "has no public constructor without parameters", hidden);
    } catch (InstantiationException unfinished) {
      throw wrong(name, className, "is abstract", unfinished);
    } catch (InvocationTargetException thrown) {
      throw wrong(name, className, "threw " + thrown.getCause() + " when it was made", thrown);
    } catch (LinkageError broken) {
      throw wrong(name, className, "cannot be loaded: " + broken, broken);
    }
  }

  private static IllegalArgumentException wrong(
      String name,
      String className,
      String why,
      @org.jspecify.annotations.Nullable Throwable cause) {
    return new IllegalArgumentException("service " + name + ": " + className + " " + why, cause);
  }
}
