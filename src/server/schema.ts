import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

// The tables of /migrations as Kysely sees them. Instants arrive as Date, calendar days and numerics as text.

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type DefaultedTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

export type Schema = {
  counters: { name: string; value: number };
  clients: {
    id: GeneratedAlways<number>;
    company_name: string;
    company_code: string;
    active: Generated<boolean>;
    created_at: DefaultedTimestamp;
  };
  users: {
    id: GeneratedAlways<number>;
    email: string;
    name: string;
    password_hash: string;
    superadmin: Generated<boolean>;
    new_user: Generated<boolean>;
    company_code: string | null;
    sessions_valid_from: Generated<number>;
    created_at: DefaultedTimestamp;
  };
  password_resets: {
    token_hash: Buffer;
    user_id: number;
    created_at: DefaultedTimestamp;
    expires_at: Timestamp;
    used_at: NullableTimestamp;
  };
  login_failures: { account: string; address: string; failed_at: DefaultedTimestamp };
  tickets: {
    id: Generated<number>;
    ticket_number: number;
    company_code: string;
    created_by: number | null;
    status: Generated<'Pending' | 'Processing' | 'Completed' | 'Cancelled'>;
    data_count: number;
    total: Generated<number>;
    done: Generated<number>;
    failed: Generated<number>;
    activated: Generated<number>;
    unactivated: Generated<number>;
    invalid_count: Generated<number>;
    duplicate_count: Generated<number>;
    /** Dollars per data, exact decimal text. */
    price: string;
    current_dollar_price: number;
    discount: Generated<number>;
    file_name: string | null;
    serial_deleted: Generated<boolean>;
    coverage_deleted: Generated<boolean>;
    waiting_for: 'source' | 'proxies' | null;
    waiting_source: string | null;
    created_at: DefaultedTimestamp;
    imported_at: NullableTimestamp;
    started_at: NullableTimestamp;
    finished_at: NullableTimestamp;
  };
  serials: {
    ticket_id: number;
    position: number;
    sheet_row: number;
    serial: string;
    kind: 'imei' | 'meid' | 'serial' | null;
    original: string | null;
    state: Generated<'pending' | 'done' | 'failed'>;
    reason: string | null;
    details: string | null;
    type: string | null;
    activation_status: 'activated' | 'unactivated' | null;
    purchase_date: string | null;
    warranty_title: string | null;
    coverage_start_date: string | null;
    coverage_end_date: string | null;
    fetched_at: NullableTimestamp;
    source: string | null;
    attempts: Generated<number>;
    egress: 'direct' | 'proxies' | null;
    cached: boolean | null;
    lookup: unknown;
  };
  duplicates: { ticket_id: number; sheet_row: number; serial: string; first_row: number };
  ticket_minutes: { ticket_id: number; minute: Timestamp; finished: number };
  uploads: {
    user_id: number;
    key: string;
    file_hash: Buffer | null;
    phase: string;
    rows: Generated<number>;
    status: number | null;
    answer: unknown;
    created_at: DefaultedTimestamp;
  };
  proxy_sets: {
    id: GeneratedAlways<number>;
    proxy_set: string;
    created_at: DefaultedTimestamp;
    expires_at: Timestamp;
  };
  proxies: { proxy_set_id: number; position: number; url: string };
};
