package io.onceward.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The SQL is made when its classes are first used, which may be by many threads at once. */
class StatementsTest {
  private static final List<Class<?>> CLASSES =
      List.of(
          StoreSql.class,
          RecordSql.class,
          TransactionSql.class,
          CountedTime.class,
          Cleaning.class,
          Horizon.class,
          RequestRow.class);

  /** Two classes whose constants need each other wait for each other for ever. */
  @Test
  void firstUsesByManyThreadsDoNotBlockEachOther() throws Exception {
    URL location = StoreSql.class.getProtectionDomain().getCodeSource().getLocation();
    ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task);
              thread.setDaemon(true);
              return thread;
            });
    for (int round = 0; round < 100; round++) {
      try (URLClassLoader fresh = new FreshClasses(location)) {
        CyclicBarrier start = new CyclicBarrier(CLASSES.size());
        List<Future<Object>> uses = new ArrayList<>();
        for (Class<?> each : CLASSES) {
          Callable<Object> use =
              () -> {
                start.await(30, TimeUnit.SECONDS);
                return Class.forName(each.getName(), true, fresh);
              };
          uses.add(threads.submit(use));
        }
        for (Future<Object> use : uses) {
          assertThat(use.get(30, TimeUnit.SECONDS)).isNotIn(CLASSES);
        }
      }
    }
    threads.shutdown();
  }

  /** Loads the classes of this package anew, and all others where they are. */
  private static final class FreshClasses extends URLClassLoader {
    FreshClasses(URL location) {
      super(new URL[] {location}, StoreSql.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.onceward.jdbc.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    }
  }
}
