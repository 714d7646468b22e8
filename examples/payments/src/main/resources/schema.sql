CREATE TABLE IF NOT EXISTS account (name text PRIMARY KEY, cents bigint NOT NULL CHECK (cents >= 0));
INSERT INTO account VALUES ('alice', 10000), ('bob', 0) ON CONFLICT DO NOTHING;
