package io.onceward.testkit.teeth;

import io.onceward.Reply;
import io.onceward.replica.Request;
import io.onceward.testkit.teeth.ClientBugs.Silence;
import io.onceward.testkit.teeth.DoorBugs.KeepAlive;
import io.onceward.testkit.teeth.KeyBugs.Horizon;
import io.onceward.testkit.teeth.SessionBugs.Unfenced;
import io.onceward.testkit.world.Parts;
import java.util.Locale;
import java.util.function.Supplier;

/** Every bug that the simulator must notice. Each breaks a rule that somebody has broken before. */
public enum PlantedBug {
  SESSIONS_MISSING_FROM_SNAPSHOT(Planting.snapshots(SnapshotBugs::withoutSessions)),
  KEYS_MISSING_FROM_SNAPSHOT(Planting.snapshots(SnapshotBugs::withoutKeys)),
  REPLIES_MISSING_FROM_SNAPSHOT(Planting.snapshots(new SnapshotBugs.WithoutReplies())),
  FINGERPRINTS_MISSING_FROM_SNAPSHOT(Planting.snapshots(SnapshotBugs::withoutFingerprints)),
  ABANDONED_MISSING_FROM_SNAPSHOT(Planting.snapshots(SnapshotBugs::withoutAbandoned)),
  TOMBSTONES_MISSING_FROM_SNAPSHOT(Planting.snapshots(SnapshotBugs::withoutAcknowledgements)),
  SNAPSHOT_CUT_INSIDE_A_BATCH(Planting.snapshots(SnapshotBugs::firstHalfOfTheLastBatch)),
  RECORD_AFTER_REPLY_IS_SENT(Planting.snapshots(SnapshotBugs::withoutLatestRecords)),

  WATERMARK_OFF_BY_ONE(Planting.around(SessionBugs.WatermarkOffByOne::new)),
  BAD_WATERMARK_ACCEPTED(Planting.around(SessionBugs.BadWatermarkAccepted::new)),
  NONCE_IGNORED_AT_OPENING(Planting.around(SessionBugs.NonceIgnored::new)),
  PREDECESSOR_IGNORED(Planting.around(SessionBugs.PredecessorIgnored::new)),
  AUTO_INHERITS_LIKE_DURABLE(Planting.around(SessionBugs.AutoInherits::new)),
  INCARNATION_WITHOUT_ORDINAL(Planting.around(SessionBugs.OrdinalLeftOut::new)),
  HOLES_KEPT_WITHOUT_A_JOURNAL(Planting.around(SessionBugs.HolesKept::new)),
  ORDER_IGNORED(Planting.around(SessionBugs.OrderIgnored::new)),
  CLOSE_NOT_FENCED(
      Planting.around((place, inner) -> new SessionBugs.NotFenced(place, inner, Unfenced.CLOSE))),
  COMMAND_NOT_FENCED(
      Planting.around((place, inner) -> new SessionBugs.NotFenced(place, inner, Unfenced.COMMAND))),
  KEEP_ALIVE_NOT_FENCED(
      Planting.around(
          (place, inner) -> new SessionBugs.NotFenced(place, inner, Unfenced.KEEP_ALIVE))),
  OUTCOME_NOT_FENCED(Planting.around(SessionBugs.OutcomeNotFenced::new)),
  FOREIGN_CLUSTER_ACCEPTED(
      Planting.around((place, inner) -> new SessionBugs.NotFenced(place, inner, Unfenced.CLUSTER))),
  SESSION_OF_ANOTHER_PRINCIPAL(Planting.around(SessionBugs.PrincipalNotChecked::new)),
  EXPIRED_SESSION_EXECUTES(Planting.around(SessionBugs.ExpiredExecutes::new)),
  LIVE_SESSION_EVICTED(Planting.around(SessionBugs.LiveSessionEvicted::new)),
  IDLE_SESSIONS_NEVER_EXPIRE(Planting.around(SessionBugs.NothingExpires::new)),
  KEEP_ALIVE_IGNORED(Planting.around(SessionBugs.KeepAliveIgnored::new)),

  ACKNOWLEDGING_REMOVES_THE_TOMBSTONE(Planting.around(KeyBugs.NoTombstone::new)),
  KEYS_EVICTED_BY_CAPACITY(Planting.around(KeyBugs.EvictedByCapacity::new)),
  HORIZON_NOT_APPLIED(
      Planting.around(
          (place, inner) -> new KeyBugs.HorizonIgnored(place, inner, Horizon.NEVER_APPLIED))),
  HORIZON_GOES_BACK(
      Planting.around(
          (place, inner) -> new KeyBugs.HorizonIgnored(place, inner, Horizon.GOES_BACK))),
  FORGET_DOES_NOT_RAISE_THE_HORIZON(
      Planting.around(
          (place, inner) ->
              new KeyBugs.HorizonIgnored(place, inner, Horizon.NOT_RAISED_BY_FORGET))),
  FUTURE_ACCEPTED(Planting.around(KeyBugs.FutureAccepted::new)),
  PRINCIPAL_NOT_PART_OF_THE_KEY(Planting.around(KeyBugs.PrincipalNotPartOfTheKey::new)),
  SCOPE_NOT_PART_OF_THE_KEY(Planting.around(KeyBugs.ScopeNotPartOfTheKey::new)),
  FULL_TABLE_REFUSES_ACKNOWLEDGEMENTS(
      Planting.around(KeyBugs.FullTableRefusesAcknowledgements::new)),
  FULL_ONCE_IS_FULL_FOR_EVER(Planting.around(KeyBugs.FullForEver::new)),
  DROPPED_IS_CALLED_NEVER_SEEN(Planting.around(KeyBugs.DroppedIsCalledNeverSeen::new)),
  ABANDONED_STILL_EXECUTES(Planting.around(KeyBugs.AbandonedStillExecutes::new)),

  FINGERPRINT_IGNORED(Planting.around(ReplyBugs.FingerprintIgnored::new)),
  MISMATCH_EXECUTES(Planting.around(ReplyBugs.MismatchExecutes::new)),
  REPLY_OF_ANOTHER_SESSION(Planting.around(ReplyBugs.ReplyOfAnotherSession::new)),
  RETRY_TOLD_ALREADY_PROCESSED(Planting.around(ReplyBugs.ToldAlreadyProcessed::new)),
  RETRY_VALIDATED_AGAIN(Planting.around(ReplyBugs.ValidatedAgain::new)),
  LARGE_REPLY_NOT_RECORDED(
      Planting.around(
          (place, inner) -> new ReplyBugs.NotRecorded(place, inner, Reply.Kind.REPLY_TOO_LARGE))),
  FAILURE_NOT_RECORDED(
      Planting.around(
          (place, inner) -> new ReplyBugs.NotRecorded(place, inner, Reply.Kind.FAILED))),
  BUSINESS_ERROR_NOT_RECORDED(
      Planting.around(
          (place, inner) -> new ReplyBugs.NotRecorded(place, inner, Reply.Kind.BUSINESS_ERROR))),
  ABANDON_DENIES_THE_EXECUTION(Planting.around(ReplyBugs.AbandonDeniesTheExecution::new)),
  EXCEPTION_TEXT_IN_THE_REPLY(Planting.service(ReplyBugs.ExceptionTextInTheReply::new)),

  SERVICE_OUTGROWS_ITS_LIMIT(Planting.service(ReplyBugs.LimitIgnored::new)),

  EXPIRY_BY_LOCAL_CLOCK(Planting.around(LogBugs.LocalClock::new)),
  LOG_TIME_GOES_BACK(Planting.around(LogBugs.TimeGoesBack::new)),
  OUTAGE_COUNTED_AS_AGE(
      Planting.around((place, inner) -> new LogBugs.AgeCountsTooMuch(place, inner, true, true))),
  CLOCK_JUMP_COUNTED_AS_AGE(
      Planting.around((place, inner) -> new LogBugs.AgeCountsTooMuch(place, inner, true, false))),
  LEADER_CHANGE_COUNTED_AS_AGE(
      Planting.around((place, inner) -> new LogBugs.AgeCountsTooMuch(place, inner, false, true))),
  ENTRIES_OF_ANOTHER_CLUSTER_APPLIED(Planting.around(LogBugs.TagNotChecked::new)),
  TICKS_BY_THE_INTERVAL_BEFORE(Planting.around(LogBugs.OldInterval::new)),
  PARAMETERS_READ_FROM_THE_NODE(Planting.around(LogBugs.ParametersOfTheNode::new)),
  FORGET_BY_THE_NODE(Planting.around(LogBugs.ForgetByTheNode::new)),
  AGE_BOUND_APPLIED_TO_LOG_TIME(Planting.around(LogBugs.AgeBoundAppliedToLogTime::new)),
  QUERIES_IGNORE_OTHER_NAMES(Planting.around(ReplyBugs.QueriesIgnoreOtherNames::new)),
  UNORDERED_ITERATION(Planting.service(ReplyBugs.UnorderedIteration::new)),
  CHECKED_BY_THE_LEADER_ONLY(Planting.around(LogBugs.CheckedByTheLeaderOnly::new)),

  COMPARISON_NEVER_HAPPENS(
      Planting.door(
          (node, limits, outlook) ->
              new DoorBugs.NotLogged(node, limits, outlook, Request.CompareDigests.class))),
  QUARANTINE_NEVER_CONFIRMED(
      Planting.door(
          (node, limits, outlook) ->
              new DoorBugs.NotLogged(node, limits, outlook, Request.ConfirmQuarantines.class))),
  REPLICA_DIFFERS_AND_NOBODY_NOTICES(Planting.around(LogBugs.DifferenceIgnored::new)),

  TWINS_WITHOUT_FINGERPRINT(
      Planting.door(
          (node, limits, outlook) -> new DoorBugs.FalseTwins(node, limits, outlook, true))),
  TWINS_WITHOUT_PRINCIPAL(
      Planting.door(
          (node, limits, outlook) -> new DoorBugs.FalseTwins(node, limits, outlook, false))),
  TWINS_WAIT_FOR_EVER(Planting.door(DoorBugs.TwinsWaitForEver::new)),
  LOST_IS_CALLED_NEVER(Planting.door(DoorBugs.LostIsCalledNever::new)),
  ABANDONS_WITHOUT_THE_LOG(Planting.door(DoorBugs.AbandonsWithoutTheLog::new)),
  NO_SESSION_FROM_A_STALE_TABLE(Planting.door(DoorBugs.NoSessionFromAStaleTable::new)),
  READS_WITHOUT_A_BARRIER(Planting.door(DoorBugs.ReadsWithoutABarrier::new)),
  REPLIES_BEFORE_COMMIT(Planting.door(DoorBugs.RepliesBeforeCommit::new)),
  DOOR_OPENS_TOO_EARLY(Planting.door(DoorBugs.OpensTooEarly::new)),
  BATCHES_REORDERED(Planting.door(DoorBugs.ReordersBatches::new)),
  WRONG_COPY_ANSWERED(Planting.door(DoorBugs.AnswersTheWrongCopy::new)),
  KEEP_ALIVE_DROPPED_AT_THE_DOOR(
      Planting.door(
          (node, limits, outlook) ->
              new DoorBugs.KeepAlivesNotLogged(node, limits, outlook, KeepAlive.DROPPED))),
  KEEP_ALIVE_ANSWERED_AT_THE_DOOR(
      Planting.door(
          (node, limits, outlook) ->
              new DoorBugs.KeepAlivesNotLogged(node, limits, outlook, KeepAlive.ANSWERED))),
  NO_ROOM_FOR_WHAT_IS_REMEMBERED(Planting.door(DoorBugs.RefusesWhatIsRemembered::new)),
  UNDATED_KEYS_LOGGED_WHEN_FULL(Planting.door(DoorBugs.LogsUndatedKeysWhenFull::new)),
  ROOM_NEVER_LOOKED_AT_AGAIN(Planting.door(DoorBugs.RoomNeverLookedAtAgain::new)),
  DOOR_WITHOUT_LIMITS(Planting.door(DoorBugs.WithoutLimits::new)),
  BYTES_IN_FLIGHT_NOT_COUNTED(Planting.door(DoorBugs.BytesNotCounted::new)),
  KEEP_ALIVES_HOLD_THE_ROOM(Planting.door(ParkingBugs.HoldTheRoom::new)),
  EVERY_COPY_ACKNOWLEDGES_ANEW(Planting.door(AddingBugs.EveryCopyAcknowledges::new)),
  STAMPS_FOLLOW_THE_WALL_CLOCK(Planting.door(AddingBugs.FollowsTheWallClock::new)),
  CHANGED_TIMING_NOT_TOLD(Planting.door(new AddingBugs.TellsTimingOnce())),

  RETRY_WITH_A_FRESH_ID(Planting.library(ClientBugs.RetriesWithAFreshId::new)),
  RETRY_WITH_ANOTHER_PAYLOAD(Planting.library(ClientBugs.RetriesWithAnotherPayload::new)),
  RESEND_AFTER_NO_SESSION(Planting.library(ClientBugs.ResendsAfterNoSession::new)),
  REOPEN_AFTER_SUPERSEDED(Planting.library(ClientBugs.ReopensAfterSuperseded::new)),
  WATERMARK_TOO_EARLY(Planting.library(ClientBugs.WatermarkTooEarly::new)),
  ACKNOWLEDGED_TOO_EARLY(Planting.library(ClientBugs.AcknowledgesTooEarly::new)),
  NOT_LEADER_TAKEN_FOR_NEVER(
      Planting.library(() -> new ClientBugs.TakesItForNever(Silence.NOT_LEADER))),
  UNKNOWN_TAKEN_FOR_NEVER(Planting.library(() -> new ClientBugs.TakesItForNever(Silence.UNKNOWN))),
  ANSWER_TAKEN_FOR_ANOTHER(Planting.library(ClientBugs.AnswerForAnother::new)),
  DEADLINE_ENDS_THE_REQUEST(Planting.library(ClientBugs.DeadlineEndsTheRequest::new)),
  SENT_AFTER_THE_END(Planting.library(ClientBugs.SendsAfterTheEnd::new)),
  AUTO_WITHOUT_PREDECESSOR(Planting.library(ClientBugs.AutoWithoutPredecessor::new)),
  LOST_IN_SILENCE(Planting.library(ClientBugs.LosesInSilence::new)),
  TIMING_NOT_FOLLOWED(Planting.library(ClientBugs.KeepsItsOwnPace::new)),

  JOURNAL_WRITTEN_AFTER_SENDING(Planting.library(JournalBugs.WrittenAfterSending::new)),
  WATERMARK_BEFORE_THE_REPLY_IS_SYNCED(Planting.library(JournalBugs.DecisionsNotSynced::new)),
  NONCE_NOT_KEPT(Planting.library(JournalBugs.NonceNotKept::new));

  @SuppressWarnings("ImmutableEnumChecker") // Makes new parts each time and keeps nothing.
  private final Supplier<Parts> parts;

  PlantedBug(Supplier<Parts> parts) {
    this.parts = parts;
  }

  /** What a world with this bug is built from; anew for each run. */
  public Parts parts() {
    return parts.get();
  }

  /** The bug in words. */
  public String inWords() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
