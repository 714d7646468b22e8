package io.onceward.cli.it;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.replica.Request;
import io.onceward.server.FreePorts;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three servers a, b and c in processes of their own, on loopback, each with a folder of its own.
 */
final class Cluster implements AutoCloseable {
  private final Path folder;
  private final Map<String, ServerLaunch> launches = new LinkedHashMap<>();
  private final Map<String, ServerProcess> servers = new TreeMap<>();
  private final Map<String, Child> adopted = new TreeMap<>();
  private final Map<String, Line> lines = new ConcurrentHashMap<>();
  private final Set<String> paused = ConcurrentHashMap.newKeySet();
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());

  private Cluster(Path folder) {
    this.folder = folder;
  }

  /** Three servers that know each other and are not started yet. */
  static Cluster of(Path folder, String... options) throws IOException {
    Cluster cluster = new Cluster(folder);
    List<Member> members = members(3);
    for (Member member : members) {
      Path data = folder.resolve(member.id());
      cluster.launches.put(
          member.id(), cluster.heard(ServerLaunch.of(data, member, members).options(options)));
    }
    return cluster;
  }

  /** Three servers, one of which leads. */
  static Cluster start(Path folder, String... options) throws IOException {
    Cluster cluster = of(folder, options);
    try {
      cluster.startAll();
      return cluster;
    } catch (IOException | RuntimeException | AssertionError problem) {
      cluster.close();
      throw problem;
    }
  }

  /** Members on ports that nobody listens on just now. */
  static List<Member> members(int count) throws IOException {
    return FreePorts.members(count, i -> String.valueOf((char) ('a' + i)));
  }

  private ServerLaunch heard(ServerLaunch launch) {
    String id = launch.self().id();
    // The flags let three nodes and their clients share a small machine.
    return launch
        .jvmFlags("-Xms64m", "-Xmx320m", "-Xmn48m", "-XX:TieredStopAtLevel=1")
        .heardBy(line -> said.add(id + ": " + line));
  }

  // ---- who is who -----------------------------------------------------------------------------

  List<String> ids() {
    return List.copyOf(launches.keySet());
  }

  Member member(String id) {
    return launch(id).self();
  }

  ServerLaunch launch(String id) {
    ServerLaunch launch = launches.get(id);
    if (launch == null) {
      throw new IllegalArgumentException("no node " + id + " in " + launches.keySet());
    }
    return launch;
  }

  /** Where a node keeps its data. */
  Path data(String id) {
    return launch(id).folder();
  }

  String[] addresses() {
    return ids().stream().map(id -> member(id).clientAddress()).toArray(String[]::new);
  }

  ServerProcess server(String id) {
    ServerProcess server = servers.get(id);
    if (server == null) {
      throw new IllegalArgumentException(id + " was never started");
    }
    return server;
  }

  /** The nodes whose processes are there and not paused. */
  List<String> running() {
    return ids().stream().filter(id -> isRunning(id) && !paused.contains(id)).toList();
  }

  private boolean isRunning(String id) {
    ServerProcess server = servers.get(id);
    Child child = adopted.get(id);
    return server != null && server.isRunning() || child != null && child.isRunning();
  }

  /** Counts in a node that was started by other means; who did that ends it. */
  void adopt(String id, Child child) {
    adopted.put(id, child);
  }

  /** Everything that any server printed, with its id in front. */
  List<String> said() {
    synchronized (said) {
      return List.copyOf(said);
    }
  }

  /** Why a server ended; it may have remarked earlier that it was still looking for the others. */
  static String lastWords(ServerProcess server) {
    List<String> complaints = server.complaints();
    return complaints.isEmpty() ? "" : complaints.get(complaints.size() - 1);
  }

  // ---- asking ---------------------------------------------------------------------------------

  /** Asks one node, over a line that is kept until it breaks. */
  Answer ask(String id, Question question) throws Exception {
    Line line = lines.computeIfAbsent(id, absent -> Line.to(member(id)));
    try {
      return line.ask(question);
    } catch (Exception | AssertionError broken) {
      lines.remove(id, line);
      line.close();
      throw broken;
    }
  }

  Answer ask(String id, Request request) throws Exception {
    return ask(id, Line.framed(request));
  }

  NodeStatus status(String id) throws Exception {
    return status(id, false);
  }

  private NodeStatus status(String id, boolean withDigest) throws Exception {
    Answer answer = ask(id, new Question.Status(withDigest));
    if (answer instanceof Answer.StatusTold told) {
      return told.status();
    }
    throw new IOException(id + " does not tell its status: " + answer);
  }

  /** Waits until a node leads that was not excluded, and gives its id. */
  String leader(String... excluded) {
    return Patience.find("a leader other than " + List.of(excluded), () -> leads(excluded));
  }

  private @Nullable String leads(String... excluded) {
    for (String id : running()) {
      try {
        if (!List.of(excluded).contains(id) && serves(id)) {
          return id;
        }
      } catch (Exception notYet) {
        // It is just starting or just ending; the next one may answer.
      }
    }
    return null;
  }

  /** Whether a node leads and its door is open: it answers what only such a one may answer. */
  private boolean serves(String id) throws Exception {
    return status(id).role().equals("leader")
        && ask(id, new Question.CountOlderThan(0)) instanceof Answer.Counted;
  }

  /** Some node that runs and does not lead. */
  String follower() {
    String leader = leader();
    return running().stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
  }

  /**
   * Waits until all running nodes have applied the same entries, and compares what they made of
   * them.
   */
  void agree() {
    Map<String, NodeStatus> told =
        Patience.find(
            "all nodes at the same position",
            () -> {
              Map<String, NodeStatus> statuses = new TreeMap<>();
              for (String id : running()) {
                statuses.put(id, status(id, true));
              }
              return distinct(statuses, NodeStatus::position) == 1 ? statuses : null;
            });
    if (distinct(told, NodeStatus::digest) != 1) {
      throw new AssertionError("nodes at one position differ: " + told);
    }
  }

  private static long distinct(Map<String, NodeStatus> told, Function<NodeStatus, Object> what) {
    return told.values().stream().map(what).distinct().count();
  }

  // ---- doing ----------------------------------------------------------------------------------

  /** Starts a node that does not run; returns at once. */
  ServerProcess start(String id) throws IOException {
    if (isRunning(id)) {
      throw new IllegalStateException(id + " runs already");
    }
    ServerProcess server = launch(id).start();
    servers.put(id, server);
    return server;
  }

  /** Starts whoever does not run, and waits until all are ready. */
  void startAll() throws IOException {
    startAll(ids().toArray(String[]::new));
  }

  void startAll(String... ids) throws IOException {
    for (String id : ids) {
      if (!running().contains(id)) {
        start(id);
      }
    }
    for (String id : ids) {
      awaitReady(id);
    }
  }

  void startAndAwait(String id) throws IOException {
    start(id);
    awaitReady(id);
  }

  private void awaitReady(String id) throws IOException {
    try {
      server(id).awaitReady(Patience.LONG);
    } catch (IOException late) {
      tellThreads(server(id));
      throw late;
    }
  }

  /** The code with which a server ends by itself. */
  static int endOf(ServerProcess server) throws Exception {
    try {
      return Patience.get("the end of " + server.member().id(), server.ended());
    } catch (AssertionError late) {
      System.err.println(server.member().id() + " said: " + server.complaints());
      tellThreads(server);
      throw late;
    }
  }

  private static void tellThreads(ServerProcess server) throws IOException {
    if (server.isRunning()) {
      System.err.println("The threads of " + server.member().id() + ", which should be elsewhere:");
      System.err.println(threadsOf(server.pid()));
    }
  }

  /** Where a process hangs, if this Java can tell. */
  private static String threadsOf(long pid) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.exists(jcmd)) {
      return "(no jcmd beside this Java)";
    }
    Process process =
        new ProcessBuilder(jcmd.toString(), String.valueOf(pid), "Thread.print")
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  void kill(String id) {
    server(id).kill();
  }

  /** Kills who leads, and gives its id. */
  String killLeader() {
    String leader = leader();
    kill(leader);
    return leader;
  }

  /** Kills all, as nearly at once as it goes. */
  void killAll() {
    servers.values().parallelStream().forEach(ServerProcess::kill);
  }

  /** Lets paused nodes go on and starts those that are down. */
  void heal() throws IOException {
    Set.copyOf(paused).forEach(this::resume);
    startAll();
  }

  /** SIGSTOP. */
  void pause(String id) {
    paused.add(id);
    server(id).pause();
  }

  /** SIGCONT. */
  void resume(String id) {
    server(id).resume();
    paused.remove(id);
  }

  /** From now on the node starts otherwise. */
  void relaunch(String id, ServerLaunch launch) {
    launches.put(id, launch);
  }

  /**
   * Makes a node forget everything, in the one way that is sound: it leaves the cluster, and comes
   * back as a new member. A wiped voter that merely restarted could vote twice in a term.
   */
  void wipe(String id) throws Exception {
    kill(id);
    obey(new Question.RemoveMember(id));
    delete(data(id));
    ServerLaunch joining = heard(ServerLaunch.joining(data(id), member(id)));
    relaunch(id, joining.options(launch(id).options().toArray(String[]::new)));
    start(id);
    obey(new Question.AddMember(member(id)));
    awaitReady(id);
  }

  /** Has the leader do something to its cluster; tried again until it does. */
  void obey(Question command) {
    Patience.until(
        command.toString(),
        () -> {
          Answer answer = ask(leader(), command);
          if (answer instanceof Answer.Obeyed) {
            return true;
          }
          throw new IOException(String.valueOf(answer));
        });
  }

  /**
   * Sends the very same frame to whoever leads until it is decided: the plainest of all clients.
   */
  Decision decide(Request request) {
    return Patience.find(
        "a decision about " + request.getClass().getSimpleName(),
        () -> {
          Answer answer = ask(leader(), request);
          if (answer instanceof Answer.Decided told) {
            return told.decision();
          }
          throw new IOException(String.valueOf(answer));
        });
  }

  /** The same, for what must have executed. */
  Decision.Replied reply(Request request) {
    Decision decision = decide(request);
    if (decision instanceof Decision.Replied replied) {
      return replied;
    }
    throw new AssertionError("refused: " + decision);
  }

  /** What a counter says, read linearizably. */
  long counter(String name) {
    Bytes question = ServiceDirectory.address(Commands.COUNTER, Commands.get(name));
    return Patience.find(
        "the counter " + name,
        () -> {
          Answer answer = ask(leader(), new Question.Query(question));
          return answer instanceof Answer.QueryTold told ? Commands.value(told.reply()) : null;
        });
  }

  /** Makes this node the leader. */
  void transferTo(String id) {
    Patience.until(
        "leadership of " + id,
        () -> {
          String leader = leader();
          if (leader.equals(id)) {
            return true;
          }
          Answer answer = ask(leader, new Question.TransferLeadership(id));
          throw new IOException(leader + " answered " + answer);
        });
  }

  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  Path folder() {
    return folder;
  }

  /** Ends all servers; what they wrote stays for who made the folder. */
  @Override
  public void close() {
    lines.values().forEach(Line::close);
    for (ServerProcess server : servers.values()) {
      server.close();
    }
  }
}
