-- One worker at a time exchanges an account's token. It holds a lease, so that no transaction is open during the call.
ALTER TABLE gsx_sessions ADD COLUMN holder uuid, ADD COLUMN held_until timestamptz;
ALTER TABLE apple_tokens ADD COLUMN holder uuid, ADD COLUMN held_until timestamptz;
