--------------------------- MODULE WatermarkPasses ---------------------------
(* A watermark may pass a request that has not taken effect (against S5). *)
EXTENDS Sessions

AnyWatermark(session, wm) == TRUE
==============================================================================
