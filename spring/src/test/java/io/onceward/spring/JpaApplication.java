package io.onceward.spring;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A shop whose writes go through a persistence context. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  JpaApplication.Script.class,
  JpaApplication.Stock.class,
  JpaApplication.Shop.class,
  JpaApplication.Customer.class,
  JpaApplication.Counter.class
})
class JpaApplication {
  @Entity
  @Table(name = "purchase")
  static class Purchase {
    @Id @GeneratedValue Long id;

    @Column(unique = true)
    String item;

    protected Purchase() {}

    Purchase(String item) {
      this.item = item;
    }
  }

  @Entity
  @Table(name = "wallet")
  static class Wallet {
    @Id Long id = 1L;
    int cents = 100;
  }

  static class SoldOut extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SoldOut(String message) {
      super(message);
    }
  }

  @Component
  static class Stock {
    /** Marks the transaction of its caller as failed, on its way out. */
    @Transactional
    public void take(String item) {
      if (item.startsWith("rare")) {
        throw new SoldOut("no " + item);
      }
    }
  }

  /** What the tests tell the shop to do, and what it did. */
  static class Script {
    final AtomicInteger runs = new AtomicInteger();
    volatile Runnable during = () -> {};
  }

  /** Leaves all writing to the flush. */
  @Component
  static class Shop {
    private final Script script;
    private final Stock stock;
    @PersistenceContext private EntityManager entities;

    Shop(Script script, Stock stock) {
      this.script = script;
      this.stock = stock;
    }

    @Once(
        key = "#key",
        operation = "buy",
        businessErrors = {SoldOut.class, DataIntegrityViolationException.class})
    @Transactional
    public String buy(String key, String item) {
      return bought(item);
    }

    /** The same without an annotation whose advice would see the exception. */
    @Once(key = "#key", operation = "plain", businessErrors = SoldOut.class)
    public String plain(String key, String item) {
      script.runs.incrementAndGet();
      entities.persist(new Purchase(item));
      throw new SoldOut("no " + item);
    }

    private String bought(String item) {
      int run = script.runs.incrementAndGet();
      entities.persist(new Purchase(item));
      script.during.run();
      stock.take(item);
      return item + " of run " + run;
    }

    @Transactional
    public void write(String item) {
      entities.persist(new Purchase(item));
    }

    @Transactional
    public void earn() {
      entities.merge(new Wallet());
    }

    public Wallet wallet() {
      return entities.find(Wallet.class, 1L);
    }

    /** Changes what its caller has read in the context of the web request. */
    @Once(key = "#key", operation = "spendOf", fingerprint = Once.UNCHECKED)
    public String spendOf(String key, Wallet wallet) {
      script.runs.incrementAndGet();
      wallet.cents -= 10;
      script.during.run();
      return "left " + wallet.cents;
    }

    /** Changes what it has read, and leaves the rest to the persistence context. */
    @Once(key = "#key", operation = "spend")
    public String spend(String key) {
      script.runs.incrementAndGet();
      Wallet wallet = entities.find(Wallet.class, 1L);
      wallet.cents -= 10;
      script.during.run();
      return "left " + wallet.cents;
    }
  }

  /** Opens a transaction, and bears what the shop says in it. */
  @Component
  static class Customer {
    private final Shop shop;

    Customer(Shop shop) {
      this.shop = shop;
    }

    @Transactional
    public String patient(String key, String item) {
      try {
        return shop.buy(key, item);
      } catch (SoldOut e) {
        return "sorry";
      }
    }

    @Transactional
    public String patientWithPlain(String key, String item) {
      try {
        return shop.plain(key, item);
      } catch (SoldOut e) {
        return "sorry";
      }
    }
  }

  /** One persistence context for the whole web request, as Boot has it by default. */
  @RestController
  static class Counter {
    private final Shop shop;

    Counter(Shop shop) {
      this.shop = shop;
    }

    @PostMapping("/spend")
    String spend() {
      return shop.spend("k-spend");
    }

    @PostMapping("/spend-of")
    String spendOf() {
      return shop.spendOf("k-spend", shop.wallet());
    }

    @PostMapping("/second-choice")
    String secondChoice() {
      try {
        return shop.buy("k-web", "rare tea");
      } catch (SoldOut e) {
        shop.write("coffee");
        return "coffee then";
      }
    }
  }
}
