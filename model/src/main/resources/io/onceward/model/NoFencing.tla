------------------------------ MODULE NoFencing ------------------------------
(* A session is found by its client's name alone; the incarnation is not looked at (against S4, S8). *)
EXTENDS Sessions

OnlyWithoutSession(session, e) == session = None
==============================================================================
