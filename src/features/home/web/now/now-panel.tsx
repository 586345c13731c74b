import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatNumber } from '#web/format/format.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

export const most = 5;

/** Pixels that a line takes with the space below it. */
const lineHeight = 30;

/** How high the lines of each panel were on the last visit, in pixels. */
const heights = new Map<string, number>();

type Props = {
  name: string;
  title: string;
  none: string;
  usual: number;
  pending: boolean;
  children: readonly ReactNode[];
};

/**
 * A heading and a few lines, each shown as soon as it is known. From the start it is as high as on the last visit, so that
 * nothing below moves when the lines come.
 */
export function NowPanel({ name, title, none, usual, pending, children }: Props) {
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const [room] = useState(() => heights.get(name) ?? usual * lineHeight);
  const lines = children.filter((child) => child !== false);
  const missing = pending ? Math.max(1, Math.round(room / lineHeight) - lines.length) : 0;

  useEffect(() => {
    if (!pending && body.current !== null) heights.set(name, body.current.offsetHeight);
  });

  return (
    <section className="panel now-panel" aria-labelledby={id} aria-busy={pending}>
      <h2 id={id}>{title}</h2>
      <div style={{ minHeight: room }}>
        <div ref={body}>
          {lines.length > 0 && <ul>{lines}</ul>}
          {lines.length === 0 && !pending && <p className="dim">{none}</p>}
          {missing > 0 && <Skeleton height={12} count={missing} width="72%" />}
        </div>
      </div>
    </section>
  );
}

export function TicketLink({ number }: { number: string }) {
  return <Link to={paths.ticketOf(number)}>{m.tickets_number({ number })}</Link>;
}

export function MoreLine({ count, to }: { count: number; to: string }) {
  return (
    <li>
      <Link to={to}>{m.home_more({ number: formatNumber(count) })}</Link>
    </li>
  );
}
