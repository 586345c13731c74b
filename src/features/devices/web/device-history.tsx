import { Link } from 'react-router';
import type { getDevice } from '#features/devices/devices.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatDay, formatInstant } from '#web/format/format.ts';
import './device-history.css';

type Details = Answer<typeof getDevice>;
type Field = keyof Details['history'][number]['changes'];

const names: Record<Field, () => string> = {
  type: m.data_type,
  activation_status: m.data_status,
  purchase_date: m.data_purchase_date,
  warranty_title: m.data_warranty,
  coverage_start_date: m.data_coverage_start,
  coverage_end_date: m.data_coverage_end,
};

/** The first answer about a device and each change of it, the newest first, and the tickets that had the device. */
export function DeviceHistory({ history, tickets }: Pick<Details, 'history' | 'tickets'>) {
  return (
    <>
      <section className="device-history">
        <h3>{m.devices_history()}</h3>
        <ol>
          {history.toReversed().map(({ at, source, ticket_number: ticket, changes }) => (
            <li key={at}>
              <strong>{formatInstant(at)}</strong>
              <span className="dim">{m.devices_from({ source: source ?? '–', ticket })}</span>
              <ul>
                {Object.entries(changes).map(([field, [before, after]]) => (
                  <li key={field}>{describeChange(field as Field, before, after, at === history[0]?.at)}</li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      </section>
      <section className="device-history">
        <h3>{m.devices_tickets()}</h3>
        <p className="row">
          {tickets.map((ticket) => (
            <Link key={ticket} to={paths.ticketOf(ticket)}>
              {m.tickets_number({ number: ticket })}
            </Link>
          ))}
        </p>
      </section>
    </>
  );
}

function describeChange(field: Field, before: string | null, after: string | null, isFirst: boolean): string {
  const words = (value: string | null) => describeValue(field, value);
  const name = names[field]();
  return isFirst
    ? m.devices_change_first({ field: name, after: words(after) })
    : m.devices_change({ field: name, before: words(before), after: words(after) });
}

function describeValue(field: Field, value: string | null): string {
  if (value === null) return '–';
  if (field === 'activation_status') {
    return value === 'activated' ? m.data_activated() : m.data_unactivated();
  }
  return field.endsWith('_date') ? formatDay(value) : value;
}
