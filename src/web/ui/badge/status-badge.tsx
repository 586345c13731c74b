import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconClock,
  IconInfoCircle,
  IconLoader2,
  IconPlayerPause,
} from '@tabler/icons-react';
import tones from '#web/styles/tones.module.css';
import styles from './status-badge.module.css';

const marks = {
  check: IconCircleCheck,
  cross: IconCircleX,
  minus: IconCircleMinus,
  clock: IconClock,
  loader: IconLoader2,
  alert: IconAlertTriangle,
  pause: IconPlayerPause,
  info: IconInfoCircle,
};

type Props = {
  tone: 'yellow' | 'blue' | 'green' | 'red' | 'grey';
  mark: keyof typeof marks;
  text: string;
  title?: string;
};

/** A state as colour, icon and word together; never colour alone. */
export function StatusBadge({ tone, mark, text, title }: Props) {
  const Mark = marks[mark];
  return (
    <span data-badge className={`${styles.badge} ${tones[tone]}`} title={title}>
      <Mark size={14} aria-hidden="true" />
      <span>{text}</span>
    </span>
  );
}
