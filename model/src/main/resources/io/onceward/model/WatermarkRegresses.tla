-------------------------- MODULE WatermarkRegresses --------------------------
(* The watermark of a delayed copy is taken as it comes, backwards too (against S5). *)
EXTENDS Sessions

TakeAsItComes(session, wm) ==
  [session EXCEPT !.wm = wm, !.replies = [s \in Sequences |-> IF s < wm THEN 0 ELSE @[s]]]
===============================================================================
