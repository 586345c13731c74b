-- What the coverage sources of Apple and the company's own lists keep, shared by all workers.

-- The session of each GSX account (base URL and operator). Whoever replaces the token holds the row's lock meanwhile.
CREATE TABLE gsx_sessions (
  account text PRIMARY KEY,
  token text,
  -- SHA-256 of the activation token that was spent last: it works once.
  activation_hash bytea,
  created_at timestamptz,
  -- To the minute.
  used_at timestamptz,
  -- When GSX last refused to replace the token.
  refused_at timestamptz
);

-- The access token of each API account of Apple Business or School Manager. Whoever asks for one holds the row's lock.
CREATE TABLE apple_tokens (
  account text PRIMARY KEY,
  token text,
  expires_at timestamptz,
  -- When Apple last refused one, and the outcome that this was.
  refused_at timestamptz,
  refusal jsonb
);

-- The index of each organisation's devices: complete as of `completed_at`, and how far the next one is.
CREATE TABLE apple_indexes (
  account text PRIMARY KEY,
  generation integer NOT NULL DEFAULT 0,
  completed_at timestamptz,
  -- The page to go on with; null at the beginning.
  next_page text,
  -- One worker builds at a time, for as long as it keeps saying so.
  builder uuid,
  builder_until timestamptz
);

-- One row for each IMEI, MEID and serial number of a device.
CREATE TABLE apple_devices (
  account text NOT NULL,
  identifier text NOT NULL,
  -- The index that last had it; after a complete one, older rows go.
  generation integer NOT NULL,
  device_id text NOT NULL,
  model text,
  -- As Apple wrote it.
  ordered text,
  PRIMARY KEY (account, identifier)
);

-- The companies' own lists, one for each source of kind registry.
CREATE TABLE registries (
  source text PRIMARY KEY,
  uploaded_at timestamptz NOT NULL,
  devices integer NOT NULL
);

CREATE TABLE registry_devices (
  source text NOT NULL,
  serial text NOT NULL,
  purchase_date date,
  warranty_title text,
  coverage_start_date date,
  coverage_end_date date,
  PRIMARY KEY (source, serial)
);
