import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiFailure } from '#web/client/failure.ts';
import { newestTicketKey, ticketsKey } from './tickets.api.ts';

/** Screens that stand still because somebody wants it: the tracker without auto-refresh. */
let stillScreens = 0;

/** Keeps what is on screen as it is while `isStill`, and reads it again afterwards. */
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

const dependsOnTickets = ({ queryKey }: Query) =>
  queryKey[0] === ticketsKey[0] && queryKey[1] !== 'activity' && stillScreens === 0;

/**
 * Reads again what a change of tickets made stale, on whatever screen it is shown. A read under way is not cancelled,
 * but repeated once it has ended: it may have begun before the change.
 */
export async function readChanged(queries: QueryClient): Promise<void> {
  const underWay = queries.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: dependsOnTickets });
  await queries.invalidateQueries({ predicate: dependsOnTickets }, { cancelRefetch: false });
  if (underWay.length === 0) return;
  const repeated = { predicate: (query: Query) => dependsOnTickets(query) && underWay.includes(query) };
  await queries.invalidateQueries(repeated, { cancelRefetch: false });
}

/** Reads everything on screen again. A screen that shows the newest ticket stays with it. */
export async function readAllAgain(queries: QueryClient): Promise<void> {
  const isChosen = ({ queryKey, state }: Query) => queryKey[0] === newestTicketKey && state.data !== null;
  await queries.invalidateQueries({ predicate: (query) => !isChosen(query) });
}

/** No answer, and too many heavy reads at once. */
const endsByItself = [0, 429];

/** Repeats the failed reads of the screen for which another answer can be expected now that the server answers again. */
export async function repeatFailed(queries: QueryClient): Promise<void> {
  const hasFailed = ({ state: { error } }: Query) =>
    stillScreens === 0 &&
    error instanceof ApiFailure &&
    (endsByItself.includes(error.status) || error.status >= 500);
  await queries.refetchQueries({ type: 'active', predicate: hasFailed }, { cancelRefetch: false });
}
