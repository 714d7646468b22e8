package io.onceward.testkit.history;

import io.onceward.testkit.history.HistoryOptions.NodeState;
import java.util.List;

/** After the run, all nodes have the same state (T1). */
final class FinalStatesAgree extends Check {
  FinalStatesAgree() {
    super("all nodes end with one state");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    List<NodeState> nodes = evidence.options().nodes();
    for (NodeState node : nodes) {
      findings.checked();
      NodeState first = nodes.get(0);
      if (node.position() != first.position() || !node.digest().equals(first.digest())) {
        findings.violation(() -> first + " and " + node);
      }
    }
  }
}
