import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatNumber } from '#web/format/format.ts';

/** As many lines as are read at a glance. */
export const most = 5;

/** A heading and a few lines; a word instead where there are none. */
export function NowPanel({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  const id = useId();
  return (
    <section className="panel now-panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children.every((child) => child === false) ? <p className="dim">{none}</p> : <ul>{children}</ul>}
    </section>
  );
}

/** A ticket, leading to its page. */
export function TicketLink({ number }: { number: string }) {
  return <Link to={paths.ticketOf(number)}>{m.tickets_number({ number })}</Link>;
}

/** What is left out of a box that shows the first few, and where all of them are. */
export function MoreLine({ count, to }: { count: number; to: string }) {
  return (
    <li>
      <Link to={to}>{m.home_more({ number: formatNumber(count) })}</Link>
    </li>
  );
}
