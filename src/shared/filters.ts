import { m } from '#shared/texts/messages.js';

// The filters of results and of devices. Each entry makes the parameter of calls (`filter-query.ts`), the place in the address of
// a screen (`list-filter.view.ts`), the SQL condition (`filter-sql.queries.ts`) and the words of the audit log.

/** The most days of a filter by the end of coverage: ten years, far longer than any coverage. */
export const farthestEnd = 3650;

type Word = () => string;
type Choices = Readonly<Record<string, Word>>;

/** A filter: its kind of values, its name in words, and its description in the documentation of the API. */
export type Filter = {
  kind: 'text' | 'search' | 'choice' | 'flag' | 'day' | 'days' | 'ticket' | 'company';
  name: Word;
  about: string;
  /** A value, for the documentation. */
  example?: string | undefined;
  /** The values of a choice and a flag, with their words. */
  choices?: Choices;
};
export type Filters = Readonly<Record<string, Filter>>;

/** The value of a filter in a call. */
export type ValueOf<F extends Filter> = F extends { choices: infer C }
  ? keyof C & string
  : F['kind'] extends 'days'
    ? number
    : string;

/** Makes filters of a kind. */
export const of =
  <K extends Filter['kind']>(kind: K) =>
  (name: Word, about: string, example?: string) => ({ kind, name, about, example });
export const text = of('text');
export const search = of('search');
export const day = of('day');
const days = of('days');
export const choice = <C extends Choices>(name: Word, choices: C, about: string) => ({
  ...of('choice')(name, about),
  choices,
});
export const flag = (name: Word, about: string) => ({
  ...of('flag')(name, about),
  choices: { true: m.audit_yes, false: m.audit_no },
});

export const activations = {
  activated: m.data_activated,
  unactivated: m.data_unactivated,
  unknown: m.results_unknown,
};
const states = { pending: m.data_pending, done: m.data_tracker_completed, failed: m.data_failed };

/** The filters of both lists by the end of coverage. */
export const coverageFilters = {
  ends_from: day(m.devices_ends_from, 'Coverage ends on this day (`YYYY-MM-DD`) or later'),
  ends_to: day(m.devices_ends_to, 'Coverage ends on this day (`YYYY-MM-DD`) or earlier'),
  ends_within: days(m.audit_ends_within, 'Coverage ends between today and this number of days from today'),
  expired: flag(m.data_expired, '`true`: coverage ended before today; `false`: it ends today or later'),
};

/** The filters of a ticket's rows. */
export const rowFilters = {
  q: search(m.data_search, 'A part of the serial'),
  state: choice(m.tickets_status, states, 'Rows of a state; by default all'),
  activation: choice(
    m.audit_activation,
    activations,
    'Rows of an activation (`unknown`: done without one); by default all',
  ),
  reason: text(m.audit_reason, 'Rows that failed for this reason, compared as a whole', 'Not found'),
  type: text(m.data_type, 'Rows of this type of device, compared as a whole'),
  warranty: text(m.data_warranty, 'Rows of this warranty title, compared as a whole'),
  ...coverageFilters,
};
