import { useDocumentVisibility } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { Activity } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { onlyPathOf, paths } from '#web/address/paths.ts';
import { mayNotify, notify } from '#web/browser/notify.ts';
import { useUser } from '#web/client/session.ts';
import { setTitlePercent } from '#web/format/title-percent.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { readChanged, readPolled, readRegister, repeatFailed } from '../changes.view.ts';
import { nameNumbered, nameTicket } from '../name-ticket.view.ts';
import { activityQuery } from '../tickets.api.ts';
import styles from './ticket-activity.module.css';
import { useWaiting, WaitingRemedy } from './waiting.view.tsx';

const runningMs = 5000;
/** While nothing runs: every screen agrees within 10 seconds of a change elsewhere. */
const idleMs = 7000;
/** How long a poll is awaited before the screen may be outdated: after an idle pause, in all less than 10 seconds. */
const lateMs = 2500;
/** A failed poll is repeated before that, because one failure alone is often the restart of a server. */
const repeatMs = 2000;
/** While the page is hidden, if the user wants to be notified of the end. */
const hiddenMs = 30_000;

type PollState = { data: Activity | undefined; dataUpdatedAt: number; errorUpdatedAt: number };

/** Returns the time until the next poll. A hidden page polls only if it will notify the user of a ticket's end. */
function pauseOf({ data, dataUpdatedAt, errorUpdatedAt }: PollState, isHidden: boolean): number | false {
  const isRunning = data !== undefined && data.running > 0;
  if (isHidden) return isRunning && mayNotify() ? hiddenMs : false;
  const failedAfter = errorUpdatedAt - dataUpdatedAt;
  if (failedAfter > 0 && failedAfter < idleMs + lateMs) return repeatMs;
  return isRunning ? runningMs : idleMs;
}

/**
 * Polls the running tickets: when a screen opens, when the tab gets the focus, after changes made here, and otherwise
 * after `pauseOf`. This one poll keeps every screen current: a new revision refetches stale reads, and each answer
 * repeats failed ones and those without a revision.
 */
function useActivity(): { data: Activity | undefined; isFollowed: boolean } {
  const isRestricted = onlyPathOf(useUser()) !== null;
  const { pathname } = useLocation();
  const queries = useQueryClient();
  const isHidden = useDocumentVisibility() === 'hidden';
  const { data, dataUpdatedAt, isError, errorUpdatedAt, errorUpdateCount } = useQuery({
    ...activityQuery,
    // Before, the server answers only the change of the first password, or the setup of a second factor.
    enabled: !isRestricted,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => pauseOf(state, isHidden),
    refetchIntervalInBackground: true,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of the screen is the cause
  useEffect(() => {
    queries.refetchQueries({ queryKey: activityQuery.queryKey }, { cancelRefetch: false });
  }, [pathname, queries]);
  const seen = useRef(data);
  useEffect(() => {
    const before = seen.current;
    if (data === undefined) return;
    seen.current = data;
    // The first answer shows no change, but after failed polls the screen may have been read long before it.
    const isChanged = before === undefined ? errorUpdateCount > 0 : before.revision !== data.revision;
    if (isChanged) void readChanged(queries);
    else if (before !== undefined && before.register_revision !== data.register_revision)
      void readRegister(queries, before.fields_revision !== data.fields_revision);
  }, [data, queries, errorUpdateCount]);
  useEffect(() => {
    if (dataUpdatedAt === 0) return;
    void repeatFailed(queries);
    void readPolled(queries);
  }, [dataUpdatedAt, queries]);
  const pause = pauseOf({ data, dataUpdatedAt, errorUpdatedAt }, isHidden);
  return { data, isFollowed: !isError && pause !== false };
}

/** Returns whether the server has not answered for so long that screens may be out of date. */
export function useIsUnanswered(): boolean {
  const { data, dataUpdatedAt, isFetching, isError } = useQuery({ ...activityQuery, enabled: false });
  const isWaiting = data !== undefined && (isFetching || isError);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const outdatedAt = dataUpdatedAt + idleMs + lateMs;
    const timer = setTimeout(() => setLate(true), Math.max(lateMs, outdatedAt - Date.now()));
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting, dataUpdatedAt]);
  return isLate;
}

/** The indicator of running tickets in the shell. The tab's title shows the progress, a toast the end of a ticket. */
export function TicketActivity() {
  const { data, isFollowed } = useActivity();
  const before = useRef(data);

  useEffect(() => {
    const earlierEnds = new Set(before.current?.ended.map(nameEnd));
    const isFirst = before.current === undefined;
    before.current = data;
    for (const end of isFirst ? [] : (data?.ended ?? [])) {
      if (earlierEnds.has(nameEnd(end))) continue;
      const text = m.tickets_now_completed({ ticket: nameNumbered(end) });
      toast.success(text);
      notify(text, nameEnd(end));
    }
  }, [data]);

  const percent = isFollowed ? (data?.percent ?? null) : null;
  useEffect(() => setTitlePercent(percent), [percent]);
  useEffect(() => () => setTitlePercent(null), []);

  if (data === undefined || !hasTicket(data)) return null;
  return <TicketPill activity={data} isFollowed={isFollowed} />;
}

type PillProps = { activity: Activity & { ticket_number: string }; isFollowed: boolean };

function TicketPill({ activity, isFollowed }: PillProps) {
  const waiting = useWaiting(activity);
  const { only, ticket_number: number } = activity;
  const words = describeRunning(activity, waiting);
  const [text, shownNumber, reason] = words;
  return (
    <>
      <Link
        className={waiting === null ? undefined : styles.waitingLink}
        to={only ? paths.trackerOf(number) : paths.tracker}
        title={words.join(' ')}
      >
        <span
          className={`${styles.dot} ${isFollowed ? '' : styles.still} ${waiting === null ? '' : styles.waiting}`}
          aria-hidden="true"
        />
        <span className={styles.name}>{text}</span>
        {shownNumber !== undefined && <span className={styles.number}>{shownNumber}</span>}
        {reason !== undefined && <span className={styles.reason}>{reason}</span>}
      </Link>
      <WaitingRemedy ticket={activity} className={styles.waitingLink} />
    </>
  );
}

/** Returns the words of the pill. The number and the reason stand alone, so that a long file name does not hide them. */
function describeRunning(activity: PillProps['activity'], reason: string | null): string[] {
  const { running: count, only, ticket_number: number } = activity;
  if (only === null) {
    return [
      reason === null
        ? m.tickets_activity_many({ count })
        : m.tickets_activity_waiting_many({ count, reason }),
    ];
  }
  const ticket = nameTicket(only);
  return reason === null
    ? [m.tickets_activity_one({ ticket }), `#${number}`]
    : [ticket, `#${number}:`, reason];
}

function hasTicket(activity: Activity): activity is PillProps['activity'] {
  return activity.ticket_number !== null;
}

/** One end of one ticket: after a retry it ends again. */
function nameEnd({ ticket_number: number, at }: Activity['ended'][number]): string {
  return `${number} ${at}`;
}
