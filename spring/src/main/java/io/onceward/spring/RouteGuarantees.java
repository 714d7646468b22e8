package io.onceward.spring;

import io.onceward.guard.ClaimStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Says at the start which promise holds for the paths that the filter guards. */
record RouteGuarantees(ClaimStore store, OncewardProperties properties)
    implements SmartInitializingSingleton {
  private static final Log LOG = LogFactory.getLog(Once.class);

  @Override
  public void afterSingletonsInstantiated() {
    String name = store.getClass().getSimpleName();
    String guarantee =
        GuardHome.guarantee(store.durability(), name.equals("JdbcClaimStore") ? "jdbc" : name);
    for (OncewardProperties.Route route : properties.http().routes()) {
      LOG.info(route.pattern() + " (filter) is " + guarantee);
    }
  }
}
