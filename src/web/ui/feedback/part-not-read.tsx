import { m } from '#shared/texts/messages.js';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { RetryButton } from './error-state.tsx';
import type { Read } from './read-state.tsx';

type Props = {
  read: Read<unknown>;
  /** The name of the missing part. */
  name: string;
};

/** Says in one line that a part of a screen could not be read, so that it does not pass for empty. Nothing otherwise. */
export function PartNotRead({ read: { data, error, refetch }, name }: Props) {
  if (!error || data !== undefined) return null;
  return (
    <div className={layout.row} role="alert">
      <span className={typography.dim}>{m.common_part_not_read({ name })}</span>
      <RetryButton size="compact-sm" onRetry={() => void refetch()} />
    </div>
  );
}
