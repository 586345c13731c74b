import { IconClock } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import './expiry.css';

const soonDays = 30;

/** Days left in the server's expiry text; 0 for "Expires today", null where nothing is left to count. */
function daysLeft(text: string): number | null {
  if (text === 'Expires today') return 0;
  const days = /^(\d+) days$/.exec(text)?.[1];
  return days === undefined ? null : Number(days);
}

function translate(text: string, days: number | null): string {
  if (text === 'N/A') return m.data_na();
  if (text === 'Expired') return m.data_expired();
  if (days === 0 && text === 'Expires today') return m.data_expires_today();
  return days === null ? text : m.data_days({ days });
}

/** When coverage ends: "N/A", "Expired", "Expires today" or "N days"; 30 days or fewer are flagged orange. */
export function Expiry({ text }: { text: string | null }) {
  if (text === null) return '–';
  const days = daysLeft(text);
  if (days !== null && days <= soonDays) {
    return (
      <span className="expiry soon">
        <IconClock size={14} aria-hidden="true" />
        {translate(text, days)}
      </span>
    );
  }
  return <span className={text === 'Expired' ? 'expiry over' : 'expiry'}>{translate(text, days)}</span>;
}
