import { createContext, type ReactNode, useContext } from 'react';
import { m } from '#shared/texts/messages.js';
import { describeFailure, isMissing } from '#web/client/failure.ts';
import panels from '#web/ui/layout/panel.module.css';
import { Banner } from './banner.tsx';
import { ErrorState, RetryButton } from './error-state.tsx';
import styles from './read-state.module.css';

/** Whether the surrounding content is stale, because reading it again failed. */
export const OutdatedContext = createContext(false);

export const useIsOutdated = () => useContext(OutdatedContext);

export type Read<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

type Props<T> = {
  read: Read<T>;
  /** The message of any failure, instead of the server's. */
  text?: string;
  /** The message if the requested object does not exist. */
  notFound?: string | undefined;
  boxed?: boolean;
  /** Renders the data, which is undefined while loading. */
  children: (data: T | undefined) => ReactNode;
};

/**
 * The content of a read. A failure is shown in its place while there is no data, and above it otherwise, unless the shell
 * already says that the screen is outdated. Failures have a Retry, except for an object that does not exist.
 */
export function ReadState<T>({ read: { data, error, refetch }, text, notFound, boxed, children }: Props<T>) {
  const isOutdated = useIsOutdated();
  const retry = () => void refetch();
  const why = text ?? describeFailure(error, m.common_fetch_failed());
  if (error && data === undefined) {
    const failure = isMissing(error) ? (
      <ErrorState text={notFound ?? describeFailure(error, why)} />
    ) : (
      <ErrorState text={why} onRetry={retry} />
    );
    return boxed ? <div className={panels.panel}>{failure}</div> : failure;
  }
  // The content keeps its position in the tree when the notice appears, so that React does not mount it again.
  return (
    <>
      {error && !isOutdated ? (
        <div data-notice className={styles.readNotice}>
          <Banner tone="error" title={why} action={<RetryButton size="compact-sm" onRetry={retry} />}>
            {m.common_shown_before()}
          </Banner>
        </div>
      ) : null}
      <OutdatedContext value={isOutdated || Boolean(error)}>{children(data)}</OutdatedContext>
    </>
  );
}
