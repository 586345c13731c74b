import { IconClock } from '@tabler/icons-react';
import { translateExpiry } from '#features/devices/coverage-expiry.shared.ts';
import styles from './expiry.module.css';

const soonDays = 30;

/** Days left in the server's expiry text; 0 for "Expires today", null where nothing is left to count. */
function daysLeft(text: string): number | null {
  if (text === 'Expires today') return 0;
  const days = /^(\d+) days$/.exec(text)?.[1];
  return days === undefined ? null : Number(days);
}

/** When coverage ends: "N/A", "Expired", "Expires today" or "N days"; 30 days or fewer are flagged orange. */
export function Expiry({ text }: { text: string | null }) {
  if (text === null) return '–';
  const days = daysLeft(text);
  const words = translateExpiry(text);
  if (days !== null && days <= soonDays) {
    return (
      <span className={`${styles.expiry} ${styles.soon}`} title={words}>
        {days > 0 && <IconClock size={14} aria-hidden="true" />}
        {words}
      </span>
    );
  }
  return (
    <span className={text === 'Expired' ? `${styles.expiry} ${styles.over}` : styles.expiry}>{words}</span>
  );
}
