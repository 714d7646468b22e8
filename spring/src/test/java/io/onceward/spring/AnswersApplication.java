package io.onceward.spring;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonView;
import io.onceward.guard.Meaning;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Handler methods of all kinds of return types, each at the path of its name. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(AnswersApplication.Answers.class)
class AnswersApplication {
  record Plain(String name, Integer number) {}

  static class Made {
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public Long id = 7L;

    public String name = "x";
  }

  record Secret(
      String name, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String password) {}

  record At(OffsetDateTime at) {}

  enum Color {
    RED
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Dog.class, name = "dog"),
    @JsonSubTypes.Type(value = Cat.class, name = "cat")
  })
  interface Animal {}

  record Dog(String name) implements Animal {}

  record Cat(int lives) implements Animal {}

  static class Base {
    public int a = 1;
  }

  static class Sub extends Base {
    public int b = 2;
  }

  static class Viewed {
    interface Brief {}

    @JsonView(Brief.class)
    public int shown = 1;

    public int hidden = 2;
  }

  static class Computed {
    private final int side;

    Computed(int side) {
      this.side = side;
    }

    public int getArea() {
      return side * side;
    }
  }

  static class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Declined(String message) {
      super(message);
    }
  }

  static class Taken extends Exception {
    private static final long serialVersionUID = 1L;

    Taken(String message) {
      super(message);
    }
  }

  static class Gone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Gone(String message) {
      super(message);
    }
  }

  static class Busy extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Busy(String message) {
      super(message);
    }
  }

  @RestController
  static class Answers {
    private final Map<String, Integer> runs = new ConcurrentHashMap<>();

    Map<String, Integer> runs() {
      return runs;
    }

    private void ran(String name) {
      runs.merge(name, 1, Integer::sum);
    }

    @Once(required = false)
    @PostMapping("/nothing")
    void nothing() {
      ran("nothing");
    }

    @Once(required = false)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @PostMapping("/noContent")
    void noContent() {
      ran("noContent");
    }

    @Once(required = false)
    @PostMapping("/writesItself")
    void writesItself(HttpServletResponse response) throws IOException {
      ran("writesItself");
      response.setStatus(202);
      response.setHeader("X-Own", "1");
      response.setContentType("text/plain");
      response.getWriter().print("wröte");
    }

    @Once(required = false)
    @PostMapping("/writesBytes")
    void writesBytes(HttpServletResponse response) throws IOException {
      ran("writesBytes");
      response.setContentType("application/octet-stream");
      response.getOutputStream().write(new byte[] {0, 1, 2});
    }

    @Once(required = false)
    @PostMapping("/decorates")
    String decorates(HttpServletResponse response) {
      ran("decorates");
      response.addHeader("X-Own", "1");
      response.addHeader("X-Own", "2");
      return "decorated";
    }

    @Once(required = false)
    @PostMapping("/redirectsItself")
    void redirectsItself(HttpServletResponse response) throws IOException {
      ran("redirectsItself");
      response.sendRedirect("/elsewhere");
    }

    @Once(required = false)
    @PostMapping("/voidObject")
    Void voidObject() {
      ran("voidObject");
      return null;
    }

    @Once(required = false)
    @PostMapping("/text")
    String text() {
      ran("text");
      return "häppened";
    }

    @Once(required = false)
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping("/textCreated")
    String textCreated() {
      ran("textCreated");
      return "made";
    }

    @Once(required = false)
    @PostMapping(path = "/textAsJson", produces = "application/json")
    String textAsJson() {
      ran("textAsJson");
      return "{\"a\": 1.50}";
    }

    @Once(required = false)
    @PostMapping(path = "/csv", produces = "text/csv")
    String csv() {
      ran("csv");
      return "a;b";
    }

    @Once(required = false)
    @PostMapping("/chars")
    CharSequence chars() {
      ran("chars");
      return CharBuffer.wrap("abc");
    }

    @Once(required = false)
    @PostMapping("/number")
    int number() {
      ran("number");
      return 7;
    }

    @Once(required = false)
    @PostMapping("/big")
    long big() {
      ran("big");
      return 1L << 60;
    }

    @Once(required = false)
    @PostMapping("/truth")
    boolean truth() {
      ran("truth");
      return true;
    }

    @Once(required = false)
    @PostMapping("/fraction")
    double fraction() {
      ran("fraction");
      return 12345678.9;
    }

    @Once(required = false)
    @PostMapping("/letter")
    char letter() {
      ran("letter");
      return 'x';
    }

    @Once(required = false)
    @PostMapping("/noNumber")
    Integer noNumber() {
      ran("noNumber");
      return null;
    }

    @Once(required = false)
    @PostMapping("/amount")
    BigDecimal amount() {
      ran("amount");
      return new BigDecimal("10.00");
    }

    @Once(required = false)
    @PostMapping("/huge")
    BigInteger huge() {
      ran("huge");
      return BigInteger.TWO.pow(90);
    }

    @Once(required = false)
    @PostMapping("/bytes")
    byte[] bytes() {
      ran("bytes");
      return new byte[] {1, 2, 3};
    }

    @Once(required = false)
    @PostMapping("/words")
    String[] words() {
      ran("words");
      return new String[] {"a", "b"};
    }

    @Once(required = false)
    @PostMapping("/numbers")
    int[] numbers() {
      ran("numbers");
      return new int[] {1, 2};
    }

    @Once(required = false)
    @PostMapping("/plain")
    Plain plain() {
      ran("plain");
      return new Plain("x", null);
    }

    @Once(required = false)
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping("/plainCreated")
    Plain plainCreated() {
      ran("plainCreated");
      return new Plain("x", 1);
    }

    @Once(required = false)
    @PostMapping("/readOnly")
    Made readOnly() {
      ran("readOnly");
      return new Made();
    }

    @Once(required = false)
    @PostMapping("/writeOnly")
    Secret writeOnly() {
      ran("writeOnly");
      return new Secret("open", "word");
    }

    @Once(required = false)
    @PostMapping("/offset")
    At offset() {
      ran("offset");
      return new At(OffsetDateTime.parse("2026-11-16T19:37:29+02:00"));
    }

    @Once(required = false)
    @PostMapping("/instant")
    Instant instant() {
      ran("instant");
      return Instant.parse("2026-11-16T19:37:29.123456789Z");
    }

    @Once(required = false)
    @PostMapping("/date")
    LocalDate date() {
      ran("date");
      return LocalDate.of(2026, 11, 16);
    }

    @Once(required = false)
    @PostMapping("/duration")
    Duration duration() {
      ran("duration");
      return Duration.ofMillis(1500);
    }

    @Once(required = false)
    @PostMapping("/color")
    Color color() {
      ran("color");
      return Color.RED;
    }

    @Once(required = false)
    @PostMapping("/uuid")
    UUID uuid() {
      ran("uuid");
      return new UUID(1, 2);
    }

    @Once(required = false)
    @PostMapping("/uri")
    URI uri() {
      ran("uri");
      return URI.create("urn:x:1");
    }

    @Once(required = false)
    @PostMapping("/present")
    Optional<String> present() {
      ran("present");
      return Optional.of("there");
    }

    @Once(required = false)
    @PostMapping("/map")
    Map<String, Object> map() {
      ran("map");
      return Map.of("cents", 12345678.9d);
    }

    @Once(required = false)
    @PostMapping("/nulls")
    Map<String, Object> nulls() {
      ran("nulls");
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("b", null);
      map.put("a", List.of(1.0f, 1e30));
      return map;
    }

    @Once(required = false)
    @PostMapping("/list")
    List<String> list() {
      ran("list");
      return List.of("a", "b");
    }

    @Once(required = false)
    @PostMapping("/set")
    Set<String> set() {
      ran("set");
      return Set.of("a", "b", "c", "d");
    }

    @Once(required = false)
    @PostMapping("/noAnimals")
    List<Animal> noAnimals() {
      ran("noAnimals");
      return List.of();
    }

    @Once(required = false)
    @PostMapping("/animals")
    List<Animal> animals() {
      ran("animals");
      return List.of(new Dog("rex"), new Cat(9));
    }

    @Once(required = false)
    @PostMapping("/animal")
    Animal animal() {
      ran("animal");
      return new Dog("rex");
    }

    @Once(required = false)
    @PostMapping("/objectText")
    Object objectText() {
      ran("objectText");
      return "text";
    }

    @Once(required = false)
    @PostMapping("/objectBean")
    Object objectBean() {
      ran("objectBean");
      return new Dog("rex");
    }

    @Once(required = false)
    @PostMapping("/subclass")
    Base subclass() {
      ran("subclass");
      return new Sub();
    }

    @Once(required = false)
    @JsonView(Viewed.Brief.class)
    @PostMapping("/viewed")
    Viewed viewed() {
      ran("viewed");
      return new Viewed();
    }

    @Once(required = false)
    @PostMapping("/computed")
    Computed computed() {
      ran("computed");
      return new Computed(3);
    }

    @Once(required = false)
    @PostMapping("/entity")
    ResponseEntity<Plain> entity() {
      ran("entity");
      return ResponseEntity.created(URI.create("/plain/1"))
          .header("X-Many", "1", "2")
          .body(new Plain("x", 1));
    }

    @Once(required = false)
    @PostMapping("/wildText")
    ResponseEntity<?> wildText() {
      ran("wildText");
      return ResponseEntity.ok("hello");
    }

    @Once(required = false)
    @PostMapping("/wildBytes")
    ResponseEntity<?> wildBytes() {
      ran("wildBytes");
      return ResponseEntity.ok()
          .contentType(MediaType.APPLICATION_PDF)
          .body("%PDF-1.7".getBytes(StandardCharsets.US_ASCII));
    }

    @Once(required = false)
    @PostMapping("/wildMap")
    ResponseEntity<?> wildMap() {
      ran("wildMap");
      return ResponseEntity.accepted().body(Map.of("price", new BigDecimal("10.00")));
    }

    @Once(required = false)
    @PostMapping("/entityNoContent")
    ResponseEntity<Void> entityNoContent() {
      ran("entityNoContent");
      return ResponseEntity.noContent().header("X-Left", "0").build();
    }

    @Once(required = false)
    @PostMapping("/entityNull")
    ResponseEntity<String> entityNull() {
      ran("entityNull");
      return ResponseEntity.ok().build();
    }

    @Once(required = false)
    @PostMapping("/latin")
    ResponseEntity<String> latin() {
      ran("latin");
      return ResponseEntity.ok()
          .contentType(MediaType.parseMediaType("text/plain;charset=ISO-8859-1"))
          .body("grün");
    }

    @Once(required = false)
    @PostMapping("/image")
    ResponseEntity<byte[]> image() {
      ran("image");
      return ResponseEntity.ok()
          .contentType(MediaType.IMAGE_PNG)
          .body(new byte[] {(byte) 0x89, 80});
    }

    @Once(required = false)
    @PostMapping("/file")
    ResponseEntity<Resource> file() {
      ran("file");
      return ResponseEntity.ok()
          .header("Content-Disposition", "attachment; filename=a.txt")
          .body(new ByteArrayResource("of a file".getBytes(StandardCharsets.UTF_8)));
    }

    @Once(required = false)
    @PostMapping("/stream")
    ResponseEntity<InputStreamResource> stream() {
      ran("stream");
      return ResponseEntity.ok()
          .contentType(MediaType.TEXT_PLAIN)
          .body(
              new InputStreamResource(
                  new ByteArrayInputStream("of a stream".getBytes(StandardCharsets.UTF_8))));
    }

    @Once(required = false)
    @PostMapping("/resource")
    Resource resource() {
      ran("resource");
      return new ByteArrayResource("bare".getBytes(StandardCharsets.UTF_8));
    }

    @Once(required = false)
    @PostMapping("/headers")
    ResponseEntity<Plain> headers() {
      ran("headers");
      return ResponseEntity.ok()
          .eTag("\"v1\"")
          .lastModified(1_700_000_000_000L)
          .varyBy("Accept-Language", "X-Own")
          .cacheControl(CacheControl.maxAge(Duration.ofMinutes(1)))
          .body(new Plain("x", 1));
    }

    @Once(required = false)
    @PostMapping("/conflict")
    ResponseEntity<Plain> conflict() {
      ran("conflict");
      return ResponseEntity.status(HttpStatus.CONFLICT).body(new Plain("taken", 1));
    }

    @Once(required = false, statuses = @Once.Status(value = 500, means = Meaning.BUSINESS_ERROR))
    @PostMapping("/failed")
    ResponseEntity<Plain> failed() {
      ran("failed");
      return ResponseEntity.internalServerError().body(new Plain("broken", 1));
    }

    @Once(required = false)
    @PostMapping("/seeOther")
    ResponseEntity<Void> seeOther() {
      ran("seeOther");
      return ResponseEntity.status(HttpStatus.SEE_OTHER).location(URI.create("/x?a=%20b")).build();
    }

    @Once(required = false)
    @PostMapping("/httpEntity")
    HttpEntity<String> httpEntity() {
      ran("httpEntity");
      HttpHeaders headers = new HttpHeaders();
      headers.set("X-Own", "1");
      return new HttpEntity<>("body", headers);
    }

    @Once(required = false)
    @PostMapping("/onlyHeaders")
    HttpHeaders onlyHeaders() {
      ran("onlyHeaders");
      HttpHeaders headers = new HttpHeaders();
      headers.set("X-Own", "1");
      return headers;
    }

    @Once(required = false)
    @PostMapping("/problem")
    ProblemDetail problem() {
      ran("problem");
      ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "taken");
      problem.setProperty("code", "E42");
      return problem;
    }

    @Once(required = false)
    @PostMapping("/errorResponse")
    ErrorResponse errorResponse() {
      ran("errorResponse");
      return new ErrorResponseException(HttpStatus.CONFLICT);
    }

    @Once(required = false, businessErrors = Declined.class)
    @PostMapping("/declined")
    Plain declined(HttpServletResponse response) {
      ran("declined");
      response.setHeader("X-Before", "1");
      throw new Declined("balance 3");
    }

    @Once(required = false, businessErrors = Declined.class, effect = Once.Effect.OUTSIDE)
    @PostMapping("/declinedOutside")
    ResponseEntity<Plain> declinedOutside() {
      ran("declinedOutside");
      throw new Declined("balance 3");
    }

    @Once(required = false, businessErrors = Taken.class)
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping("/taken")
    void taken() throws Taken {
      ran("taken");
      throw new Taken("a@b.c");
    }

    @Once(required = false, businessErrors = Gone.class)
    @PostMapping("/gone")
    int gone() {
      ran("gone");
      throw new Gone("no such account");
    }

    @Once(required = false, businessErrors = Busy.class)
    @PostMapping("/busy")
    String busy() {
      ran("busy");
      throw new Busy("busy");
    }

    @ExceptionHandler
    ResponseEntity<Plain> say(Declined e) {
      return ResponseEntity.status(402)
          .header("X-Own", "1", "2")
          .eTag("\"v1\"")
          .body(new Plain(e.getMessage(), 1));
    }

    @ExceptionHandler
    ProblemDetail say(Taken e) {
      ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, e.getMessage());
      problem.setProperty("code", "E42");
      return problem;
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.GONE)
    String say(Gone e) {
      return "gönn: " + e.getMessage();
    }

    @ExceptionHandler
    void say(Busy e, HttpServletResponse response) throws IOException {
      response.setStatus(503);
      response.setHeader("Retry-After", "7");
      response.getOutputStream().write(1);
    }

    @Once(required = false)
    @PostMapping("/problemEntity")
    ResponseEntity<ProblemDetail> problemEntity() {
      ran("problemEntity");
      return ResponseEntity.of(ProblemDetail.forStatusAndDetail(HttpStatus.GONE, "gone")).build();
    }
  }
}
