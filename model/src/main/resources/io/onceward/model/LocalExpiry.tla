----------------------------- MODULE LocalExpiry -----------------------------
(* Each node lets sessions expire by a clock of its own (against S7, T1). *)
EXTENDS Sessions

ANodeThinksItIsLate ==
  \E n \in Nodes, c \in Clients :
    /\ node[n].state.table[c] # None
    /\ node' = [node EXCEPT ![n].state.table[c] = None]
    /\ UNCHANGED <<client, log, commit, replay, changes>>
==============================================================================
