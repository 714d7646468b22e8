package io.onceward.http;

import io.onceward.Fingerprint;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.CallerThreads;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Fitting;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request with an {@code Idempotency-Key} take effect once, and gives every retry the answer
 * of the first: status, chosen headers and body, byte for byte, marked {@code Idempotent-Replayed:
 * true}. A request without the header, or with a method that is safe to repeat, passes untouched.
 *
 * <pre>{@code
 * IdempotencyFilter filter =
 *     IdempotencyFilter.on(store)
 *         .route("POST /payments", Route.required())
 *         .route("POST /orders/{id}", Route.optional().serverErrors(Meaning.DID_NOT_HAPPEN))
 *         .build();
 * filter.register(servletContext, "/*");
 * }</pre>
 *
 * <p>What always holds: an answer is recorded before its first byte is handed out, but for bodies
 * that outgrow what is remembered or are streamed on purpose; whatever was started and not decided
 * is never executed again by a retry; the same key of another principal or route is another
 * request; and if the store cannot be asked, nothing is executed. Everything the filter answers
 * itself is {@code application/problem+json} with a type of its own.
 *
 * <p>It belongs behind authentication, because keys are told apart by principal, and has to be
 * mapped for {@code REQUEST} and {@code ASYNC} dispatches, and for {@code FORWARD} if something in
 * front of it forwards, as {@link #register} does. It works with Servlet 6.0 and later.
 */
public final class IdempotencyFilter implements Filter, AutoCloseable {
  private static final AtomicInteger FILTERS = new AtomicInteger();

  private static final int HEADER_ALLOWANCE = 8 << 10;

  /** The limit of {@link Scope}. */
  private static final int MAX_SCOPE_BYTES = 128;

  /** What all exchanges share. */
  record Parts(
      CallerThreads threads,
      StoredHeaders storedHeaders,
      int maxResponseBytes,
      ErrorPages errorPages) {}

  /** Each filter has its own, since another one before it may let pass what is guarded here. */
  private final int number = FILTERS.incrementAndGet();

  /** The attribute of a request that this filter has seen. */
  private final String seen = "io.onceward.http.exchange." + number;

  private final Guard guard;
  private final Parts parts;
  private final Set<String> methods;
  private final Function<HttpServletRequest, @Nullable Route> routes;
  private final Route otherwise;
  private final Function<HttpServletRequest, @Nullable String> principal;
  private final @Nullable Function<HttpServletRequest, String> scope;

  private IdempotencyFilter(Builder builder) {
    CallerThreads threads = CallerThreads.named("onceward-http");
    parts =
        new Parts(
            threads,
            StoredHeaders.byDefault().and(builder.storedHeaders),
            builder.maxResponseBytes,
            new ErrorPages(builder.errorPage));
    methods = builder.methods;
    routes = builder.routes != null ? builder.routes : new Patterns(builder.patterns);
    otherwise = builder.otherwise;
    principal = builder.principal;
    scope = builder.scope;
    builder.setUp.accept(builder.guard);
    guard =
        builder
            .guard
            .classify(thrown -> thrown instanceof RunEnded run ? run.meaning() : Meaning.UNKNOWN)
            .checkReply((id, reply) -> StoredResponse.requireReadable(reply))
            .maxReplyBytes(Math.addExact(builder.maxResponseBytes, HEADER_ALLOWANCE))
            .executor(threads)
            .build();
  }

  /** A filter that remembers in a store, which is not closed with it. */
  public static Builder on(ClaimStore store) {
    return new Builder(Guard.on(store));
  }

  /** A filter that remembers in this process, until it ends. */
  public static Builder inMemory() {
    return new Builder(Guard.inMemory());
  }

  /** Registers the filter for these patterns as it has to be. */
  public void register(ServletContext context, String... urlPatterns) {
    FilterRegistration.Dynamic registration =
        Objects.requireNonNull(
            context.addFilter("onceward-idempotency-" + number, this),
            "the filter is registered already");
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.FORWARD),
        true,
        urlPatterns);
  }

  /** The guard beneath: for the queue of unknown requests and their resolution. */
  public Guard guard() {
    return guard;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse httpResponse
        && methods.contains(http.getMethod())
        && comesFromOutside(request.getDispatcherType())) {
      Object before = request.getAttribute(seen);
      boolean goesOn = request.getDispatcherType() == DispatcherType.ASYNC;
      if (before instanceof Exchange exchange && goesOn && exchange.isSuspended()) {
        exchange.resume(chain, http, httpResponse);
        return;
      }
      if (isToBeGuarded(http, before)) {
        guard(http, httpResponse, chain, bodyOf(before));
        return;
      }
      if (before instanceof Passing passing) {
        passing.pass(chain, request, response);
        return;
      }
    }
    chain.doFilter(request, response);
  }

  /**
   * Whether the application is still to be kept from it. Something in front may send a request here
   * again, such as one that was refused; it did not run because it was here before.
   */
  private static boolean isToBeGuarded(HttpServletRequest request, @Nullable Object before) {
    if (before instanceof Exchange exchange) {
      boolean isWithin =
          request.getDispatcherType() != DispatcherType.ASYNC && exchange.isBehind(request);
      return !isWithin && !explainsAnError(request);
    }
    boolean isWithin = before instanceof Passing passing && passing.isBehind(request);
    return !isWithin && !explainsAnError(request);
  }

  private static @Nullable RequestBody bodyOf(@Nullable Object before) {
    if (before instanceof Exchange exchange) {
      return exchange.body();
    }
    return before instanceof Passing passing ? passing.body() : null;
  }

  /**
   * Whether this may be the first that the filter sees of a request: something in front of it may
   * have suspended or forwarded it.
   */
  private static boolean comesFromOutside(DispatcherType type) {
    return switch (type) {
      case REQUEST, ASYNC, FORWARD -> true;
      case INCLUDE, ERROR -> false;
    };
  }

  /**
   * Whether this is on the way to a page that tells what went wrong with a request before it came
   * here: such a page may be forwarded to, but answers nothing that would have to be remembered.
   */
  private static boolean explainsAnError(HttpServletRequest request) {
    return request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) != null;
  }

  private void guard(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      @Nullable RequestBody before)
      throws IOException, ServletException {
    Route found = routes.apply(request);
    Route route = found != null ? found : otherwise;
    KeySource source = route.keySource();
    String header = source.header();
    if (route.need() == Route.Need.OFF || (header != null && request.getHeader(header) == null)) {
      withoutKey(
          before == null ? request : before.readableIn(request, response),
          response,
          chain,
          route,
          before);
      return;
    }
    try {
      KeySource.Found key =
          header == null ? null : source.inHeader(only(request.getHeaders(header)));
      MediaType type = MediaType.parse(request.getContentType());
      RequestBody body =
          before == null
              ? RequestBody.read(request, type, route.maxRequestBytes())
              : before.again(request, type, route.maxRequestBytes());
      FormParameters.requireAtMost(route.maxParameters(), request, type, body);
      Route.Compared compared = route.compared(body);
      String line = line(request, type) + compared.mark();
      if (key == null) {
        key = source.inBody(body, type, line, compared.bytes());
      }
      if (key == null) {
        withoutKey(new PassedRequest(request, body, type, response), response, chain, route, body);
        return;
      }
      Ask ask = ask(request, route, key, Fingerprint.of(line, compared.bytes()));
      Exchange exchange = new Exchange(request, response, chain, route, body, type, guard, parts);
      request.setAttribute(seen, exchange);
      exchange.decide(ask);
    } catch (MalformedKeyException e) {
      Answers.write(
          response,
          header == null
              ? Problem.malformedKeyInBody(e.getMessage())
              : Problem.malformedKey(e.getMessage()));
    } catch (RequestBody.TooLargeException e) {
      Answers.write(response, Problem.bodyTooLarge(String.valueOf(e.getMessage())));
    }
  }

  private void withoutKey(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      Route route,
      @Nullable RequestBody read)
      throws IOException, ServletException {
    if (route.need() == Route.Need.REQUIRED) {
      Answers.write(
          response, Problem.missingKey("this operation needs " + route.keySource().described()));
    } else {
      Passing passing = new Passing(read);
      request.setAttribute(seen, passing);
      passing.pass(chain, request, response);
    }
  }

  private static String only(Enumeration<String> headers) throws MalformedKeyException {
    String first = headers.nextElement();
    if (headers.hasMoreElements()) {
      throw new MalformedKeyException("the header is there more than once");
    }
    return first;
  }

  /** What a request says beside its body; headers do not count. */
  private static String line(HttpServletRequest request, MediaType type) {
    String query = request.getQueryString();
    String line =
        request.getMethod()
            + "\n"
            + RequestPath.of(request)
            + "\n"
            + (query == null ? "" : query)
            + "\n"
            + type.canonical();
    return Fitting.fit(line, Integer.MAX_VALUE);
  }

  private Ask ask(
      HttpServletRequest request, Route route, KeySource.Found key, Fingerprint fingerprint) {
    String method = request.getMethod();
    String path = RequestPath.of(request);
    String name = route.name();
    String scopeText =
        scope != null ? scope.apply(request) : name != null ? name : method + " " + path;
    String who = principal.apply(request);
    GuardedId id =
        new GuardedId(
            Fitting.fit(who == null ? "" : who, GuardedId.MAX_PRINCIPAL_BYTES),
            new Scope(Fitting.fit(scopeText, MAX_SCOPE_BYTES)),
            key.key());
    return new Ask(
        id,
        fingerprint,
        Fitting.fit(name != null ? name : method, Ask.MAX_OPERATION_BYTES),
        Fitting.cut(method + " " + path + " key " + key.shown(), Ask.MAX_MEMO_BYTES));
  }

  @Override
  public void destroy() {
    close();
  }

  /** Refuses new requests. What is under way is run to its end and recorded. */
  @Override
  public void close() {
    guard.close();
    parts.threads().close();
  }

  private static @Nullable String userPrincipal(HttpServletRequest request) {
    Principal user = request.getUserPrincipal();
    return user == null ? null : user.getName();
  }

  /** Routes by pattern; the first that fits counts. */
  private record Patterns(Map<RoutePattern, Route> routes)
      implements Function<HttpServletRequest, @Nullable Route> {
    @Override
    public @Nullable Route apply(HttpServletRequest request) {
      if (!routes.isEmpty()) {
        String path = RequestPath.within(request);
        for (Map.Entry<RoutePattern, Route> route : routes.entrySet()) {
          if (route.getKey().matches(request.getMethod(), path)) {
            return route.getValue();
          }
        }
      }
      return null;
    }
  }

  /** Sets up an {@link IdempotencyFilter}. */
  public static final class Builder {
    private final Guard.Builder guard;
    private final List<String> storedHeaders = new ArrayList<>();
    private final Map<RoutePattern, Route> patterns = new LinkedHashMap<>();
    private Consumer<Guard.Builder> setUp = any -> {};
    private Set<String> methods = Set.of("POST", "PATCH");
    private @Nullable Function<HttpServletRequest, @Nullable Route> routes;
    private Route otherwise = Route.optional();
    private Function<HttpServletRequest, @Nullable String> principal =
        IdempotencyFilter::userPrincipal;
    private @Nullable Function<HttpServletRequest, String> scope;
    private @Nullable String errorPage;
    private int maxResponseBytes = 64 << 10;

    private Builder(Guard.Builder guard) {
      this.guard = guard;
    }

    /**
     * Lease, retention, waiting, probe and listener, as {@link Guard.Builder} explains them. What
     * exceptions mean and how large replies are is said by routes and by this builder instead.
     */
    public Builder guard(Consumer<Guard.Builder> setUp) {
      this.setUp = this.setUp.andThen(setUp);
      return this;
    }

    /** The methods whose requests are guarded. Default: POST and PATCH. */
    public Builder methods(String... methods) {
      this.methods = Set.of(methods);
      return this;
    }

    /**
     * What holds for requests of one kind, such as {@code POST /orders/{id}/payments} or {@code
     * /admin/**}, which also is the name of the route unless it has one. The path is the one within
     * the application. The first pattern that fits counts.
     */
    public Builder route(String pattern, Route route) {
      patterns.put(
          RoutePattern.parse(pattern), route.name() == null ? route.named(pattern) : route);
      return this;
    }

    /** Finds routes by itself, in place of patterns; null leaves it to {@link #otherwise}. */
    public Builder routes(Function<HttpServletRequest, @Nullable Route> routes) {
      this.routes = Objects.requireNonNull(routes, "routes");
      return this;
    }

    /** What holds for all other requests. Default: the key is optional. */
    public Builder otherwise(Route route) {
      otherwise = Objects.requireNonNull(route, "route");
      return this;
    }

    /**
     * Who asks, such as the tenant of a token; null is nobody. Default: the name of the request's
     * user principal. Requests of nobody share one space of keys: give such callers keys that
     * cannot be guessed, or a scope.
     */
    public Builder principal(Function<HttpServletRequest, @Nullable String> principal) {
      this.principal = Objects.requireNonNull(principal, "principal");
      return this;
    }

    /**
     * Which keys are told apart beside their principal. Default: the name of the route, or method
     * and path.
     */
    public Builder scope(Function<HttpServletRequest, String> scope) {
      this.scope = Objects.requireNonNull(scope, "scope");
      return this;
    }

    /**
     * Headers of responses to be remembered beside the common ones, which are listed in the
     * documentation.
     *
     * @throws IllegalArgumentException for cookies and for what belongs to one connection
     */
    public Builder storeHeaders(String... names) {
      storedHeaders.addAll(List.of(names));
      StoredHeaders.byDefault().and(storedHeaders);
      return this;
    }

    /**
     * The largest body of a response that is remembered. A larger one is handed out while it is
     * written; that it executed is recorded, and a retry is told so with 410. Default 64 KiB.
     */
    public Builder maxResponseBytes(int maxResponseBytes) {
      if (maxResponseBytes < 1 || maxResponseBytes > Integer.MAX_VALUE - HEADER_ALLOWANCE) {
        throw new IllegalArgumentException(
            "maxResponseBytes is at least 1 and below 2 GiB, got " + maxResponseBytes);
      }
      this.maxResponseBytes = maxResponseBytes;
      return this;
    }

    /**
     * The page within the application that explains errors which were sent without a body, such as
     * {@code /error}. It is forwarded to with the attributes of an error dispatch. Default: none; a
     * few words of JSON.
     */
    public Builder errorPage(String path) {
      errorPage = Objects.requireNonNull(path, "path");
      return this;
    }

    public IdempotencyFilter build() {
      return new IdempotencyFilter(this);
    }
  }
}
