package io.onceward.http;

import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.Globals;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The two servers that the tests run on. */
enum Container {
  TOMCAT {
    @Override
    Running start(Application app, Consumer<ServletContext> filters) throws Exception {
      Path home = Files.createTempDirectory("onceward-tomcat");
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(home.toString());
      Connector connector = new Connector();
      connector.setPort(0);
      connector.setProperty("address", "127.0.0.1");
      connector.setProperty("bindOnInit", "true");
      connector.addUpgradeProtocol(new Http2Protocol());
      tomcat.setConnector(connector);
      Context context = tomcat.addContext("", home.toString());
      context.addServletContainerInitializer(
          (types, servlets) -> register(servlets, app, filters), null);
      tomcat.start();
      return new Running(
          connector.getLocalPort(),
          () -> workers(connector).getActiveCount() == 0,
          () -> {
            tomcat.stop();
            tomcat.destroy();
            delete(home);
            // Whichever comes next would make this folder again.
            System.clearProperty(Globals.CATALINA_HOME_PROP);
          });
    }
  },

  JETTY {
    @Override
    Running start(Application app, Consumer<ServletContext> filters) throws Exception {
      Server server = new Server();
      QueuedThreadPool pool = (QueuedThreadPool) server.getThreadPool();
      HttpConfiguration http = new HttpConfiguration();
      ServerConnector connector =
          new ServerConnector(
              server,
              1,
              1,
              new HttpConnectionFactory(http),
              new HTTP2CServerConnectionFactory(http));
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler("/");
      context.addServletContainerInitializer((types, servlets) -> register(servlets, app, filters));
      server.setHandler(context);
      server.start();
      return new Running(
          connector.getLocalPort(), () -> pool.getUtilizedThreads() == 0, server::stop);
    }
  };

  /** What is served. The error page and the set-up for multipart requests may be null. */
  record Application(
      HttpServlet servlet, HttpServlet errorPage, MultipartConfigElement multipart) {}

  /** A server at work. It is idle if no thread of it works on a request or an event. */
  record Running(int port, BooleanSupplier idle, AutoCloseable stop) implements AutoCloseable {
    @Override
    public void close() {
      try {
        stop.close();
      } catch (Exception e) {
        throw new IllegalStateException("the server did not stop", e);
      }
    }
  }

  abstract Running start(Application app, Consumer<ServletContext> filters) throws Exception;

  private static ThreadPoolExecutor workers(Connector connector) {
    return (ThreadPoolExecutor) connector.getProtocolHandler().getExecutor();
  }

  private static void register(
      ServletContext context, Application app, Consumer<ServletContext> filters) {
    add(context, "app", app.servlet(), "/*", app.multipart());
    if (app.errorPage() != null) {
      add(context, "error", app.errorPage(), "/error", null);
    }
    filters.accept(context);
  }

  private static void add(
      ServletContext context,
      String name,
      HttpServlet servlet,
      String pattern,
      MultipartConfigElement multipart) {
    ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
    registration.setAsyncSupported(true);
    registration.addMapping(pattern);
    if (multipart != null) {
      registration.setMultipartConfig(multipart);
    }
  }

  /** Adds a filter for requests only, as one that knows nothing of asynchrony would be. */
  static void outermost(ServletContext context, String name, Filter filter) {
    var registration = context.addFilter(name, filter);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(null, false, "/*");
  }

  private static void delete(Path home) {
    try (var files = Files.walk(home)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
