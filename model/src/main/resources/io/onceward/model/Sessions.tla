------------------------------ MODULE Sessions ------------------------------
(***************************************************************************)
(* The replicated home: opening, window, watermark, expiry and snapshot of *)
(* sessions, kept in a state machine behind a log whose leader changes.    *)
(* The rules that are cited (S5, E2 ...) are those of docs/guarantees.md;  *)
(* docs/model.md tells how to read this and what it does not say.          *)
(*                                                                         *)
(* What is left out so that TLC can visit every state, and why nothing is  *)
(* lost by it:                                                             *)
(*                                                                         *)
(* - There is no network. Whatever a client may ever have sent can arrive  *)
(*   at any moment, any number of times, in any order (Letters). So loss,  *)
(*   delay, duplication and reordering need no state. Clients are also     *)
(*   worse than ours: any watermark may come with any request.             *)
(* - There are two nodes, the one that leads and one that follows; at a    *)
(*   change of leader they change places. Nodes meet only in the log, so a *)
(*   third would be one more reader of it.                                 *)
(* - The log is kept from the first entry that some node has not applied.  *)
(*   What all have applied is read by nobody again: a node that restarts   *)
(*   or falls behind starts from a snapshot.                               *)
(* - A snapshot is cut and read back in one step (Cut), at any time, by    *)
(*   the node itself (a restart) or by the other one (an install). To      *)
(*   restart from an older snapshot is to have stayed behind and to pass   *)
(*   through Cut there, which happens too.                                 *)
(* - The state that follows from the whole log, without any snapshot, is   *)
(*   carried along (replay) and never read by the protocol.                *)
(* - An incarnation is a log position; all that matters of it is that it   *)
(*   grows and never comes again. So it is counted per client.             *)
(* - Age is counted in ticks of the log: an idle session goes at its       *)
(*   second one. T2 and T3 decide how often such ticks come, this model    *)
(*   lets them come at any time.                                           *)
(* - Replies are numbers: which effect of its client an effect was. Two    *)
(*   executions of one request, or one on other ground, answer otherwise.  *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Clients,
  Requests,       \* sequences that each session uses
  Window,         \* how far a client may run ahead of its watermark (S5)
  Unordered,      \* the clients whose requests may overtake each other (S6)
  Openings,       \* how often each client opens a session at most
  LeaderChanges,  \* how often the leader changes at most
  LogRoom         \* entries that a node may be behind the end of the log at most

VARIABLES
  client,   \* what each client remembers: see Newborn
  log,      \* entries from the first that some node has not applied
  commit,   \* how many of them are committed
  node,     \* the two nodes: how much of the log each has applied, and its state
  replay,   \* the state that the committed log alone gives
  changes   \* leader changes so far

vars == <<client, log, commit, node, replay, changes>>

Leader == 1
Follower == 2
Nodes == {Leader, Follower}
Sequences == 1..Requests
None == [inc |-> 0]

-----------------------------------------------------------------------------
(* The state machine: a table of sessions, and a service that lists what    *)
(* took effect. All of it is a function of the log (T1).                    *)

NoReplies == [s \in Sequences |-> 0]

\* `birth` stands for the nonce of the opening that made this incarnation, `opened` for the log position.
\* `line` is known to this model only: the incarnation that the numbering of the requests goes back to.
Empty ==
  [ table    |-> [c \in Clients |-> None],
    opened   |-> [c \in Clients |-> 0],
    done     |-> [c \in Clients |-> <<>>],
    stranger |-> FALSE ]

Session(inc, birth) ==
  [inc |-> inc, birth |-> birth, line |-> inc, wm |-> 1, replies |-> NoReplies, idle |-> FALSE]

Answered(session, s) == session.replies[s] # 0

Decided(session, s) == s < session.wm \/ Answered(session, s)

\* S5: a watermark must not pass a sequence that is not decided.
WatermarkAllowed(session, wm) == \A s \in 1..(wm - 1) : Decided(session, s)

\* S5: a watermark never moves backwards.
MoveWatermark(session, wm) ==
  IF wm <= session.wm THEN session
  ELSE [session EXCEPT
          !.wm = wm,
          !.replies = [s \in Sequences |-> IF s < wm THEN 0 ELSE @[s]]]

\* What the table says to a request whose incarnation is current and whose watermark is taken.
Verdict(c, session, s) ==
  CASE s < session.wm                  -> "acknowledged"
    [] s >= session.wm + Window        -> "window exceeded"
    [] Answered(session, s)            -> "replay"
    [] c \notin Unordered /\ \E q \in 1..(s - 1) : ~Decided(session, q)
                                       -> "out of order"
    [] OTHER                           -> "execute"

\* E6: the effect and its reply in one step.
Execute(state, c, session, e) ==
  LET done == Append(state.done[c], <<session.line, e.seq>>)
  IN [state EXCEPT
        !.done[c] = done,
        !.table[c] = [session EXCEPT !.replies[e.seq] = Len(done)],
        !.stranger = @ \/ e.inc # session.inc]

\* E5: the decision is made here, from the log alone.
JudgeAt(state, c, session, e) == Verdict(c, session, e.seq)

\* S4, S8: only the current incarnation speaks for its session; without a session nobody does.
Fenced(session, e) == session.inc # e.inc

ApplyAsk(state, e) ==
  LET c == e.client
      found == state.table[c]
  IN IF Fenced(found, e) THEN state
     ELSE LET touched == [found EXCEPT !.idle = FALSE]
          IN IF e.wm > e.seq \/ ~WatermarkAllowed(touched, e.wm)
             THEN [state EXCEPT !.table[c] = touched]
             ELSE LET session == MoveWatermark(touched, e.wm)
                  IN IF JudgeAt(state, c, session, e) = "execute"
                     THEN Execute(state, c, session, e)
                     ELSE [state EXCEPT !.table[c] = session]

ApplyKeepAlive(state, e) ==
  LET c == e.client
      found == state.table[c]
      touched == [found EXCEPT !.idle = FALSE]
  IN IF Fenced(found, e) THEN state
     ELSE IF WatermarkAllowed(touched, e.wm)
          THEN [state EXCEPT !.table[c] = MoveWatermark(touched, e.wm)]
          ELSE [state EXCEPT !.table[c] = touched]

\* S1: a copy of an opening finds the session that the first one made. S2: one that names its
\* predecessor inherits from it if it is current; one that names none finds no session or is refused.
ApplyOpen(state, e) ==
  LET c == e.client
      found == state.table[c]
      inc == state.opened[c] + 1
      opened == [state EXCEPT !.opened[c] = @ + 1]
  IN CASE found # None /\ found.birth = e.birth ->
            [state EXCEPT !.table[c].idle = FALSE]
       [] found = None /\ e.inc = 0 ->
            [opened EXCEPT !.table[c] = Session(inc, e.birth)]
       [] found # None /\ e.inc = found.inc ->
            [opened EXCEPT
               !.table[c] = [found EXCEPT !.inc = inc, !.birth = e.birth, !.idle = FALSE]]
       [] OTHER -> state

\* S7, T3: time is what the log says. A session in which nothing was applied since the tick before goes.
ApplyTick(state) ==
  [state EXCEPT !.table = [c \in Clients |->
     LET session == state.table[c]
     IN CASE session = None -> None
          [] session.idle   -> None
          [] OTHER          -> [session EXCEPT !.idle = TRUE]]]

Apply(state, e) ==
  CASE e.kind = "ask"        -> ApplyAsk(state, e)
    [] e.kind = "keep-alive" -> ApplyKeepAlive(state, e)
    [] e.kind = "open"       -> ApplyOpen(state, e)
    [] e.kind = "tick"       -> ApplyTick(state)

RECURSIVE ApplyAll(_, _)
ApplyAll(state, entries) ==
  IF entries = <<>> THEN state ELSE ApplyAll(Apply(state, Head(entries)), Tail(entries))

\* E6: a snapshot holds tables and service of the same entry.
Cut(state) == state

-----------------------------------------------------------------------------
(* Clients, and what can arrive from them.                                  *)

\* `birth` is the latest opening, `known[b]` the incarnation that opening b was answered with, or 0, and
\* `from[b]` the one that it named as its predecessor. `gone`: told that there is no session any more.
Newborn ==
  [ birth |-> 1,
    known |-> [b \in 1..Openings |-> 0],
    from  |-> [b \in 1..Openings |-> 0],
    gone  |-> FALSE ]

Letter(kind, c, birth, inc, s, wm) ==
  [kind |-> kind, client |-> c, birth |-> birth, inc |-> inc, seq |-> s, wm |-> wm, door |-> ""]

Tick == Letter("tick", "", 0, 0, 0, 0)

\* Every copy of every message that client c may have sent until now. Of the watermarks that no longer
\* move anything, 1 stands for all.
Letters(c) ==
  LET me == client[c]
      speakable == {b \in 1..me.birth : me.known[b] # 0}
      wms == {1} \union {wm \in 1..(Requests + 1) : replay.table[c] # None /\ wm > replay.table[c].wm}
  IN {Letter("ask", c, 0, me.known[b], p[1], p[2]) :
        b \in speakable, p \in {q \in Sequences \X wms : q[2] <= q[1] \/ q = <<1, 2>>}}
     \union
     {Letter("keep-alive", c, 0, me.known[b], 0, wm) : b \in speakable, wm \in wms}
     \union
     (IF replay.opened[c] < Openings
      THEN {Letter("open", c, b, me.from[b], 0, 0) : b \in 1..me.birth}
      ELSE {})

\* The reply to an opening reaches its client.
TakeIncarnation(c, n) ==
  LET session == node[n].state.table[c]
      me == client[c]
  IN /\ session # None
     /\ session.birth = me.birth
     /\ me.known[me.birth] = 0
     /\ client' = [client EXCEPT ![c].known[me.birth] = session.inc]
     /\ UNCHANGED <<log, commit, node, replay, changes>>

\* S8: a node that has applied the opening, and holds the session no more, says so. It matters only to a
\* client that may open again.
LearnThatItIsGone(c, n) ==
  LET me == client[c]
      state == node[n].state
  IN /\ ~me.gone
     /\ me.birth < Openings
     /\ me.known[me.birth] # 0
     /\ state.opened[c] >= me.known[me.birth]
     /\ state.table[c] = None
     /\ client' = [client EXCEPT ![c].gone = TRUE]
     /\ UNCHANGED <<log, commit, node, replay, changes>>

\* A durable client comes back with its journal (S2), or opens anew once it knows that the old
\* session is gone, which its caller had to ask for (S8).
OpenAgain(c) ==
  LET me == client[c]
  IN /\ me.birth < Openings
     /\ me.known[me.birth] # 0
     /\ client' = [client EXCEPT ![c] =
          [@ EXCEPT
             !.birth = @ + 1,
             !.from[me.birth + 1] = IF me.gone THEN 0 ELSE me.known[me.birth],
             !.gone = FALSE]]
     /\ UNCHANGED <<log, commit, node, replay, changes>>

-----------------------------------------------------------------------------
(* The log and its nodes.                                                   *)

\* Forgets the entries that both nodes have applied.
Trimmed(newNode, newLog, newCommit) ==
  LET least == IF newNode[1].at < newNode[2].at THEN newNode[1].at ELSE newNode[2].at
  IN /\ log' = SubSeq(newLog, least + 1, Len(newLog))
     /\ commit' = newCommit - least
     /\ node' = [n \in Nodes |-> [newNode[n] EXCEPT !.at = @ - least]]

\* What the leader's door adds to a message: nothing. E5: what it knows only saves work.
Stamped(state, e) == e

Log(e) ==
  /\ Len(log) < LogRoom
  /\ commit = Len(log)   \* one at a time: an entry that is lost with its leader can arrive again at any time
  /\ log' = Append(log, Stamped(node[Leader].state, e))
  /\ UNCHANGED <<client, commit, node, replay, changes>>

Receive(c) == \E e \in Letters(c) : Log(e)

TimePasses == (\E c \in Clients : replay.table[c] # None) /\ Log(Tick)

Commit ==
  /\ commit < Len(log)
  /\ commit' = commit + 1
  /\ replay' = Apply(replay, log[commit + 1])
  /\ UNCHANGED <<client, log, node, changes>>

ApplyNext(n) ==
  /\ node[n].at < commit
  /\ Trimmed([node EXCEPT ![n] = [at |-> @.at + 1, state |-> Apply(@.state, log[@.at + 1])]], log, commit)
  /\ UNCHANGED <<client, replay, changes>>

Restart(n) ==
  /\ node' = [node EXCEPT ![n].state = Cut(@)]
  /\ UNCHANGED <<client, log, commit, replay, changes>>

InstallSnapshot ==
  /\ \E from, to \in Nodes :
       /\ node[from].at > node[to].at
       /\ Trimmed([node EXCEPT ![to] = [at |-> node[from].at, state |-> Cut(node[from].state)]], log, commit)
  /\ UNCHANGED <<client, replay, changes>>

\* Of what was not committed, the new leader has some beginning; the rest is lost.
ChangeLeader ==
  /\ changes < LeaderChanges
  /\ changes' = changes + 1
  /\ \E kept \in commit..Len(log) : log' = SubSeq(log, 1, kept)
  /\ node' = <<node[Follower], node[Leader]>>
  /\ UNCHANGED <<client, commit, replay>>

\* Nothing that a correct node does: mutants put their own steps here.
Mistake == FALSE

Init ==
  /\ client = [c \in Clients |-> Newborn]
  /\ log = <<>>
  /\ commit = 0
  /\ node = [n \in Nodes |-> [at |-> 0, state |-> Empty]]
  /\ replay = Empty
  /\ changes = 0

Next ==
  \/ \E c \in Clients :
       \/ Receive(c)
       \/ OpenAgain(c)
       \/ \E n \in Nodes : TakeIncarnation(c, n) \/ LearnThatItIsGone(c, n)
  \/ TimePasses
  \/ Commit
  \/ \E n \in Nodes : ApplyNext(n) \/ Restart(n)
  \/ InstallSnapshot
  \/ ChangeLeader
  \/ Mistake

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold.                                                          *)

Everywhere(Holds(_)) == Holds(replay) /\ \A n \in Nodes : Holds(node[n].state)

\* E2: no request took effect twice.
OnceIn(state) ==
  \A c \in Clients :
    \A i \in 1..Len(state.done[c]) : \A j \in 1..(i - 1) : state.done[c][i] # state.done[c][j]
AtMostOnce == Everywhere(OnceIn)

\* E2, S5: what has a reply, or lies below a watermark, took effect: neither an answered request nor an
\* acknowledged one is lost.
KeptIn(state) ==
  \A c \in Clients :
    LET session == state.table[c]
        done == state.done[c]
    IN session # None =>
         \A s \in Sequences : Decided(session, s) => \E i \in 1..Len(done) : done[i] = <<session.line, s>>
AcknowledgedIsNeverLost == Everywhere(KeptIn)

\* E3, S5: from the watermark upward every request that took effect has its reply: the one that its first
\* execution gave.
FirstReplyIn(state) ==
  \A c \in Clients :
    LET session == state.table[c]
        done == state.done[c]
    IN session # None =>
         \A i \in 1..Len(done) :
           (/\ done[i][1] = session.line
            /\ done[i][2] >= session.wm
            /\ \A j \in 1..(i - 1) : done[j] # done[i])
           => session.replies[done[i][2]] = i
SameReply == Everywhere(FirstReplyIn)

\* S4, S8: nothing takes effect in a session but what its own incarnation asked for.
NotForAnotherIn(state) == ~state.stranger
NothingAfterSupersession == Everywhere(NotForAnotherIn)

\* S8: once a client was told that its session is gone, the session stays gone.
NothingAfterExpiry ==
  \A c \in Clients : client[c].gone =>
    \/ replay.table[c] = None
    \/ replay.table[c].inc # client[c].known[client[c].birth]

\* S6: in an ordered session effects come in the order of their sequences.
OrderedIn(state) ==
  \A c \in Clients \ Unordered :
    LET done == state.done[c]
    IN \A i \in 2..Len(done) : done[i - 1][1] = done[i][1] => done[i - 1][2] < done[i][2]
InOrder == Everywhere(OrderedIn)

\* S5: replies are kept from the watermark upward, at most `Window` of them.
WindowIn(state) ==
  \A c \in Clients :
    LET session == state.table[c]
    IN session # None =>
         \A s \in Sequences : Answered(session, s) => s >= session.wm /\ s < session.wm + Window
WithinWindow == Everywhere(WindowIn)

\* T1, E6: a node that went through snapshots, restarts and installs is where the log alone leads.
SnapshotEqualsReplay ==
  \A n \in Nodes : ApplyAll(node[n].state, SubSeq(log, node[n].at + 1, commit)) = replay

\* S5: while a session lives its watermark never moves backwards.
WatermarkNeverRegresses ==
  [][\A c \in Clients :
       LET old == replay.table[c]
           new == replay'.table[c]
       IN (/\ old # None
           /\ new # None
           /\ old.line = new.line)
          => new.wm >= old.wm]_vars

-----------------------------------------------------------------------------
(* What must happen some day, if messages that are sent for ever arrive some *)
(* day and nodes go on working.                                              *)

\* The lowest sequence that the log has not decided, with the watermark of a client that took all others.
NextRequest(c) ==
  LET session == replay.table[c]
  IN /\ session # None
     /\ client[c].known[client[c].birth] = session.inc
     /\ \E s \in Sequences :
          /\ ~Decided(session, s)
          /\ \A q \in 1..(s - 1) : Decided(session, q)
          /\ Log(Letter("ask", c, 0, session.inc, s, s))

FairSpec ==
  /\ Spec
  /\ WF_vars(Commit)
  /\ \A n \in Nodes : WF_vars(ApplyNext(n))
  /\ \A c \in Clients : SF_vars(NextRequest(c))

\* S6: no session wedges. Once a client knows its session, all its requests take effect, or the session
\* goes.
NoSessionWedges ==
  \A c \in Clients :
    client[c].known[1] # 0 ~>
      (replay.table[c] = None \/ \A s \in Sequences : Decided(replay.table[c], s))

Same == Permutations(Clients)
=============================================================================
