import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import './banner.css';

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
  const role = tone === 'error' ? 'alert' : tone === 'success' ? 'status' : undefined;
  return (
    <div
      className={`banner ${tone} tone-${colour}`}
      role={role}
      aria-live={tone === 'warning' ? 'polite' : undefined}
    >
      <Icon size={18} aria-hidden="true" />
      <div className="banner-text">
        {title !== undefined && <p className="banner-title">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  );
}
