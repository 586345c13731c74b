import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiFailure } from '#web/client/failure.ts';
import { newestTicketKey, ticketsKey } from './tickets.api.ts';

// Each answer of `GET /tickets/activity` repeats some reads of the screen:
// - `readChanged`, after another `revision`: those of tickets, clients, devices and fields;
// - `readRegister`, after another `register_revision` alone: those of devices and fields, and after another
//   `fields_revision` also those of tickets that show values of own columns;
// - `repeatFailed`, always: those that failed, except previews, which send a file;
// - `readPolled`, always: those marked `polled`, because their changes have no revision.
// On a screen that the user has paused, these reads wait until the pause ends (`useStillScreen`).

/** Screens that the user has paused: the tracker without auto-refresh. */
let stillScreens = 0;

/** Pauses updates of the screen while `isStill`, and reads again afterwards. */
export function useStillScreen(isStill: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isStill) return undefined;
    stillScreens += 1;
    return () => {
      stillScreens -= 1;
      void readChanged(queries);
    };
  }, [isStill, queries]);
}

/** The `meta` of a read of a ticket that shows values of own columns. */
export const ownValues = { ownValues: true };

const registerKeys: readonly unknown[] = ['devices', 'fields'];
const followedKeys = [ticketsKey[0], 'clients', ...registerKeys];

/** Repeats the reads that a change elsewhere may have made stale, on any screen. */
export function readChanged(queries: QueryClient): Promise<void> {
  return readAgain(queries, ({ queryKey }) => followedKeys.includes(queryKey[0]));
}

/**
 * Repeats the reads that depend on the register. Results are registered some seconds after their ticket has changed, when
 * the reads that depend on the ticket alone were repeated.
 * @param withValues also repeats the reads of tickets with `ownValues`
 */
export function readRegister(queries: QueryClient, withValues: boolean): Promise<void> {
  return readAgain(
    queries,
    ({ queryKey, meta }) => registerKeys.includes(queryKey[0]) || (withValues && meta?.ownValues === true),
  );
}

/**
 * Repeats the reads that a change concerns. A running read is not cancelled, but repeated after its end, because it may have
 * begun before the change. None waits for another one: the counts of saved views take long.
 */
async function readAgain(queries: QueryClient, isConcerned: (query: Query) => boolean): Promise<void> {
  const isFollowed = (query: Query) =>
    isConcerned(query) && query.queryKey[1] !== 'activity' && stillScreens === 0;
  const repeatThose = (isMeant: (query: Query) => boolean) =>
    queries.invalidateQueries(
      { predicate: (query) => isFollowed(query) && isMeant(query) },
      { cancelRefetch: false },
    );
  const running = queries.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: isFollowed });
  await Promise.all([
    repeatThose((query) => !running.includes(query)),
    ...running.map(async (query) => {
      await query.promise?.catch(() => undefined);
      await repeatThose((one) => one === query);
    }),
  ]);
}

/** The first poll comes right after the reads of a screen that opens. */
const freshMs = 3000;

/** Repeats the reads on screen that have no revision, except failed ones, which `repeatFailed` repeats. */
export function readPolled(queries: QueryClient): Promise<void> {
  const isDue = (query: Query) =>
    query.meta?.polled === true && query.state.status === 'success' && query.isStaleByTime(freshMs);
  return queries.refetchQueries({ type: 'active', predicate: isDue }, { cancelRefetch: false });
}

/** Reads everything on screen again. A screen that shows the newest ticket stays with it. */
export async function readAllAgain(queries: QueryClient): Promise<void> {
  const isChosen = ({ queryKey, state }: Query) => queryKey[0] === newestTicketKey && state.data !== null;
  await queries.invalidateQueries({ predicate: (query) => !isChosen(query) });
}

/** Statuses of failures that may pass: no answer (0), and too many heavy reads at once (429). */
const passing = [0, 429];

/**
 * Repeats failed reads of the screen that may succeed now. A failure stays on screen until there is an answer: the read
 * is repeated under another key, because a query without data forgets its failure when it starts. A paused screen
 * repeats only reads without data.
 */
export async function repeatFailed(queries: QueryClient): Promise<void> {
  const failed = queries.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle', predicate: mayPass });
  await Promise.all(failed.map((query) => repeat(queries, query)));
}

function mayPass(query: Query): boolean {
  const { data, error } = query.state;
  const isStill = stillScreens > 0 && data !== undefined;
  return (
    !isStill &&
    query.meta?.sendsFile !== true &&
    error instanceof ApiFailure &&
    (passing.includes(error.status) || error.status >= 500)
  );
}

async function repeat(queries: QueryClient, query: Query): Promise<void> {
  const { queryFn } = query.options;
  if (typeof queryFn !== 'function') return;
  const repeated = { queryKey: ['repeated', ...query.queryKey], queryFn, gcTime: 0 };
  const data = await queries.fetchQuery(repeated).catch(() => undefined);
  if (data !== undefined && query.state.error !== null) query.setData(data);
}
