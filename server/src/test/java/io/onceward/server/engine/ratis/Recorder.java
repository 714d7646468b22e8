package io.onceward.server.engine.ratis;

import io.onceward.server.engine.Machine;
import io.onceward.wire.Member;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A machine that remembers everything it was told. Its state is the list of applied entries. */
class Recorder implements Machine {
  record Applied(long position, long term, String entry) {}

  record Failed(String what, Throwable cause) {}

  private final List<Applied> state = new ArrayList<>();

  /** How often each handle came back, and how. */
  final Map<Object, List<String>> fates = new ConcurrentHashMap<>();

  final List<String> roles = new CopyOnWriteArrayList<>();
  final List<Failed> failures = new CopyOnWriteArrayList<>();
  final List<Long> restored = new CopyOnWriteArrayList<>();
  volatile Member leader;
  volatile long leadingTerm;
  volatile Consumer<String> beforeApply = entry -> {};
  volatile Consumer<String> afterApply = entry -> {};
  volatile Consumer<Integer> whileWriting = count -> {};
  volatile boolean frozenElsewhere;
  volatile boolean holdsBack;
  private volatile long position;
  private volatile int appliedAfterFailure;

  @Override
  public void apply(long position, long term, byte[] entry, Object handle) {
    String text = new String(entry, StandardCharsets.UTF_8);
    beforeApply.accept(text);
    synchronized (this) {
      if (position <= this.position) {
        throw new IllegalStateException(position + " came after " + this.position);
      }
      if (!failures.isEmpty()) {
        appliedAfterFailure++;
      }
      this.position = position;
      state.add(new Applied(position, term, text));
    }
    afterApply.accept(text);
    if (handle != null) {
      fate(handle, "applied");
    }
  }

  @Override
  public String cluster() {
    return "the one cluster of a test";
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public boolean holdsSnapshotBack() {
    return holdsBack;
  }

  @Override
  public synchronized View freeze() {
    if (frozenElsewhere) {
      return null;
    }
    List<Applied> frozen = List.copyOf(state);
    return out -> {
      DataOutputStream data = new DataOutputStream(out);
      data.writeInt(frozen.size());
      int count = 0;
      for (Applied applied : frozen) {
        whileWriting.accept(count++);
        data.writeLong(applied.position);
        data.writeLong(applied.term);
        byte[] text = applied.entry.getBytes(StandardCharsets.UTF_8);
        data.writeInt(text.length);
        data.write(text);
      }
      data.flush();
    };
  }

  @Override
  public synchronized void restore(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    state.clear();
    position = 0;
    int count = data.readInt();
    for (int i = 0; i < count; i++) {
      long at = data.readLong();
      long term = data.readLong();
      byte[] text = new byte[data.readInt()];
      data.readFully(text);
      state.add(new Applied(at, term, new String(text, StandardCharsets.UTF_8)));
      position = at;
    }
    restored.add(position);
  }

  @Override
  public void leading(long term) {
    leadingTerm = term;
    leader = null;
    roles.add("leading");
  }

  @Override
  public void following(Member leader) {
    leadingTerm = 0;
    this.leader = leader;
    roles.add("following " + (leader == null ? "nobody" : leader.id()));
  }

  @Override
  public void lost(Object handle, String reason) {
    fate(handle, "lost: " + reason);
  }

  @Override
  public void failed(String what, Throwable cause) {
    failures.add(new Failed(what, cause));
  }

  boolean leads() {
    return leadingTerm > 0;
  }

  int appliedAfterFailure() {
    return appliedAfterFailure;
  }

  synchronized List<Applied> applied() {
    return List.copyOf(state);
  }

  synchronized List<String> entries() {
    return state.stream().map(Applied::entry).toList();
  }

  /** Its entries without repetitions: what was lost and submitted again may be there twice. */
  List<String> distinctEntries() {
    return entries().stream().distinct().toList();
  }

  private void fate(Object handle, String fate) {
    fates.computeIfAbsent(handle, h -> new CopyOnWriteArrayList<>()).add(fate);
  }
}
