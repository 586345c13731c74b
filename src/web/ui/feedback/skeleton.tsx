import { m } from '#shared/texts/messages.js';
import './skeleton.css';

type Props = { height: number; width?: number | string; count?: number };

/** Grey boxes in the shape of what is coming; the first one tells screen readers that something is loading. */
export function Skeleton({ height, width = '100%', count = 1 }: Props) {
  return (
    <>
      <span className="sr-only" role="status">
        {m.common_loading()}
      </span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <span key={index} className="skeleton" style={{ height, width }} aria-hidden="true" />
      ))}
    </>
  );
}

/** Panels or cards that are on their way: a title and as many lines as their height (pixels) has room for. */
export function PanelSkeleton({ height, count = 1 }: { height: number; count?: number }) {
  const lines = Math.max(1, Math.floor((height - 64) / 32));
  return (
    <>
      <span className="sr-only" role="status">
        {m.common_loading()}
      </span>
      {Array.from({ length: count }, (_, panel) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={panel} className="panel panel-skeleton" style={{ height }} aria-hidden="true">
          {Array.from({ length: lines + 1 }, (_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            <span key={line} className="skeleton line" />
          ))}
        </div>
      ))}
    </>
  );
}
