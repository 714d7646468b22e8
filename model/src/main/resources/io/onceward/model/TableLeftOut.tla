----------------------------- MODULE TableLeftOut -----------------------------
(* A snapshot that keeps the service and forgets what sessions have answered (against E6). *)
EXTENDS Sessions

CutWithoutTable(state) ==
  [state EXCEPT !.table = [c \in Clients |->
     IF state.table[c] = None THEN None
     ELSE [state.table[c] EXCEPT !.wm = 1, !.replies = NoReplies]]]
===============================================================================
