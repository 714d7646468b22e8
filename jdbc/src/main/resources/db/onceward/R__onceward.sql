-- What Onceward remembers in PostgreSQL 13 and newer. Running this again changes nothing.

-- One row per request, of both homes: requests whose effect is in the same transaction
-- (OnceTransaction), and requests whose effect is outside (JdbcClaimStore).
-- No CHECK constraints and few indexes: every transaction would pay for them, twice.
CREATE TABLE IF NOT EXISTS onceward_request (
  -- The identity: who asks, in which scope, under which key.
  principal        text COLLATE "C" NOT NULL,
  scope            text COLLATE "C" NOT NULL,
  key_kind         smallint         NOT NULL, -- 0 UUID, 1 dated, 2 content hash, 3 text
  key_high         bigint           NOT NULL,
  key_low          bigint           NOT NULL,
  -- The text of a text key, for people. Its digest above is what counts.
  key_text         text,
  -- When a dated key was made: microseconds since 1970.
  dated            bigint,
  fingerprint      bigint,
  operation        text             NOT NULL,
  memo             text             NOT NULL,
  -- STARTED: a run holds the lease. UNKNOWN: nobody knows whether it happened; ask a probe or a person.
  -- RELEASED: it did not happen. DONE: decided, with its reply. ACKNOWLEDGED: decided, and its reply was taken
  -- and dropped. ABANDONED: it did not happen and will not.
  state            text             NOT NULL,
  fence            bigint           NOT NULL,
  started_at       timestamptz      NOT NULL,
  lease_until      timestamptz,
  -- Of an UNKNOWN one, for people. Of an ACKNOWLEDGED one, the kind and a digest of the reply that was taken.
  why              text,
  retention_millis bigint           NOT NULL,
  -- Set when the request is decided; what has no end is never cleaned up. By a clock that stands still while
  -- nobody sweeps: the time of the database less onceward_sweep.uncounted_millis.
  expires_at       timestamptz,
  -- OK, BUSINESS_ERROR, FAILED or REPLY_TOO_LARGE. A transaction claims with FAILED ("executed, perhaps
  -- in part") and writes the true reply before it commits. So FAILED is seen only if the business SQL
  -- committed behind the back of OnceTransaction.
  reply_kind       text,
  reply            bytea,
  PRIMARY KEY (principal, scope, key_kind, key_high, key_low)
) WITH (fillfactor = 80); -- room for the reply beside its claim, so that no index is written twice

-- For clean-up, and for the queue of those that are not decided, whose expires_at is null.
CREATE INDEX IF NOT EXISTS onceward_request_expiry ON onceward_request (expires_at, started_at);

-- Completions that came too late and were refused: perhaps an effect that happened twice.
CREATE TABLE IF NOT EXISTS onceward_evidence (
  number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  principal  text COLLATE "C" NOT NULL,
  scope      text COLLATE "C" NOT NULL,
  key_kind   smallint         NOT NULL,
  key_high   bigint           NOT NULL,
  key_low    bigint           NOT NULL,
  fence      bigint           NOT NULL,
  reply_kind text             NOT NULL,
  reply      bytea            NOT NULL,
  arrived_at timestamptz      NOT NULL
);

CREATE INDEX IF NOT EXISTS onceward_evidence_of_request
  ON onceward_evidence (principal, scope, key_kind, key_high, key_low);

-- The greatest date of any dated key whose record was dropped. It only grows.
CREATE TABLE IF NOT EXISTS onceward_horizon (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  dated    bigint NOT NULL
);

INSERT INTO onceward_horizon (dated) VALUES (-1) ON CONFLICT DO NOTHING;

-- When records were last cleaned up, and how long nobody did so: time that counts for no retention.
-- Beside the horizon and not in it, because it changes with each sweep.
CREATE TABLE IF NOT EXISTS onceward_sweep (
  only_row         boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  swept_at         timestamptz NOT NULL,
  uncounted_millis bigint      NOT NULL,
  -- The latest start of any undated request whose record was dropped: microseconds since 1970.
  undated          bigint      NOT NULL
);

INSERT INTO onceward_sweep (swept_at, uncounted_millis, undated) VALUES (clock_timestamp(), 0, -1)
  ON CONFLICT DO NOTHING;

-- Which version of these tables this is, and which database: no other has the same identity.
CREATE TABLE IF NOT EXISTS onceward_schema (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version  integer NOT NULL,
  identity uuid    NOT NULL
);

INSERT INTO onceward_schema (version, identity) VALUES (3, gen_random_uuid()) ON CONFLICT DO NOTHING;

-- The greatest fence of any undated request whose record was dropped. It only grows. The first run of an undated
-- key has one that is greater by two, so that nothing which is still about of an earlier run passes for it.
CREATE TABLE IF NOT EXISTS onceward_fence (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  dropped  bigint NOT NULL
);

-- Versions 1 and 2 did not count what they dropped: nothing that ran a thousand times, it is taken.
INSERT INTO onceward_fence (dropped) SELECT CASE WHEN version < 3 THEN 1000 ELSE -1 END FROM onceward_schema
  ON CONFLICT DO NOTHING;

-- Version 1 had no onceward_sweep, version 2 no onceward_fence.
UPDATE onceward_schema SET version = 3 WHERE version < 3;
