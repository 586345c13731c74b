import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import tones from '#web/styles/tones.module.css';
import styles from './banner.module.css';
import { Lines } from './lines.tsx';

const looks = {
  error: { icon: IconAlertTriangle, colour: 'red' },
  warning: { icon: IconAlertTriangle, colour: 'yellow' },
  success: { icon: IconCircleCheck, colour: 'green' },
  info: { icon: IconInfoCircle, colour: 'blue' },
};

type Props = { tone: keyof typeof looks; title?: string; children?: ReactNode; action?: ReactNode };

/** A message inside the page. Errors are read out at once, successes and warnings when the reader pauses. */
export function Banner({ tone, title, children, action }: Props) {
  const { icon: Icon, colour } = looks[tone];
  const role = tone === 'error' ? 'alert' : tone === 'info' ? undefined : 'status';
  return (
    <div className={`${styles.banner} ${tones[colour]}`} role={role}>
      <Icon size={18} aria-hidden="true" />
      <div className={styles.bannerText}>
        {title !== undefined && <p className={styles.bannerTitle}>{title}</p>}
        {typeof children === 'string' ? <Lines text={children} /> : children}
      </div>
      {action}
    </div>
  );
}
