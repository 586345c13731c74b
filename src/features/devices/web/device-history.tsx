import { Link } from 'react-router';
import type { getDevice } from '#features/devices/devices.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatInstant } from '#web/format/format.ts';
import { describeChanges } from './describe-changes.view.ts';
import './device-history.css';

type Details = Answer<typeof getDevice>;

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
                {describeChanges(changes, at === history[0]?.at).map((text) => (
                  <li key={text}>{text}</li>
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
