import { activations, choice, coverageFilters, day, flag, of, search, text } from '#shared/filters.ts';
import { m } from '#shared/texts/messages.js';

/** The filters of devices, apart from those of rows, which the first load of Data Management has. */
export const deviceFilters = {
  q: search(m.data_search, 'The serial, its beginning or its end; from 5 characters on any part of it'),
  activation: choice(m.audit_activation, activations, 'Devices of an activation; by default all'),
  type: text(m.data_type, 'Devices of this type, compared as a whole'),
  warranty: text(m.data_warranty, 'Devices with this warranty title, compared as a whole'),
  ...coverageFilters,
  never_covered: flag(m.devices_never, '`true`: no end of coverage is known; `false`: one is'),
  checked_before: day(m.devices_checked_before, 'Last checked before this day (in APP_TIMEZONE)'),
  changed_since: day(m.devices_changed_since, 'An answer differed from the one before on this day or later'),
  ticket_number: of('ticket')(m.data_ticket_number, 'Devices that this ticket had'),
  source: text(m.results_source, 'The source of the latest answer'),
  company_code: of('company')(
    m.audit_company,
    'The code of a company; by default all that the caller may see',
  ),
};
