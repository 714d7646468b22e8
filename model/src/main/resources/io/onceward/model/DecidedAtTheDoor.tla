--------------------------- MODULE DecidedAtTheDoor ---------------------------
(* The leader judges a request by what it has applied so far, and every node believes it (against E5). *)
EXTENDS Sessions

StampedAtTheDoor(state, e) ==
  IF e.kind = "ask" /\ state.table[e.client].inc = e.inc
  THEN [e EXCEPT !.door = Verdict(e.client, MoveWatermark(state.table[e.client], e.wm), e.seq)]
  ELSE e

JudgedAtTheDoor(state, c, session, e) == e.door
===============================================================================
