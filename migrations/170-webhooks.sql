-- Webhooks: how other programs are told what happened (docs/webhooks.md).
CREATE TABLE webhooks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: a webhook of the superadmins, which gets the events of all companies.
  company_code text REFERENCES clients (company_code) ON DELETE CASCADE,
  created_by bigint REFERENCES users ON DELETE SET NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  -- The secret that signs its messages, sealed.
  secret text NOT NULL,
  active boolean NOT NULL,
  -- The language of the mail that tells that it was switched off.
  language text NOT NULL CHECK (language IN ('en', 'id')),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A process delivers to it until then. One does at a time.
  busy_until timestamptz NOT NULL DEFAULT 'epoch',
  -- Whether its latest attempt failed or took long. Such webhooks get half of the places.
  slow boolean NOT NULL DEFAULT false,
  -- The first failure since its latest success.
  failing_since timestamptz,
  -- When the product switched it off after a day of failures; null once somebody changed it.
  switched_off_at timestamptz,
  -- When the mail about that is sent; null without a mail to send.
  mail_at timestamptz
);
CREATE INDEX webhooks_company ON webhooks (company_code);
CREATE INDEX webhooks_mail ON webhooks (mail_at) WHERE mail_at IS NOT NULL;

-- Events on their way to one webhook each, written by the transaction in which they happened.
CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id bigint NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  event text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- The thing of the event. Events of one thing arrive in their order.
  subject text NOT NULL,
  -- The screen about it, below PUBLIC_URL.
  path text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  -- Attempts since it was last queued, which decide on the next pause.
  tries integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  -- The latest attempt and its answer.
  attempted_at timestamptz,
  duration_ms integer,
  response_status integer,
  response_body text,
  error text
);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, id) WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_subject ON webhook_deliveries (webhook_id, subject, id) WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, id);

-- Changed devices that wait for their event. Written only while a webhook listens.
CREATE TABLE webhook_device_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  company_code text NOT NULL,
  device_id bigint NOT NULL,
  serial text NOT NULL,
  ticket_number bigint NOT NULL,
  changed_at timestamptz NOT NULL
);
CREATE INDEX webhook_device_changes_company ON webhook_device_changes (company_code, id);
