import { m } from '#shared/texts/messages.js';
import typography from '#web/styles/typography.module.css';
import panels from '#web/ui/layout/panel.module.css';
import styles from './skeleton.module.css';

type Props = { height: number; width?: number | string; count?: number; className?: string };

/** Grey boxes in the shape of the content; the first announces to screen readers that it is loading. */
export function Skeleton({ height, width = '100%', count = 1, className = styles.skeleton }: Props) {
  return (
    <>
      <span className={typography.srOnly} role="status">
        {m.common_loading()}
      </span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <span key={index} className={className} style={{ height, width }} aria-hidden="true" />
      ))}
    </>
  );
}

/** Placeholders of panels or cards, with lines of text in them. */
export function PanelSkeleton(props: Pick<Props, 'height' | 'count'>) {
  return <Skeleton {...props} className={`${panels.panel} ${styles.panelSkeleton}`} />;
}
