import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import type { Invoice } from '../invoices.contract.ts';

const looks = {
  queued: { tone: 'blue', mark: 'clock', name: m.invoices_sent_queued },
  sent: { tone: 'green', mark: 'check', name: m.invoices_sent },
  failed: { tone: 'red', mark: 'cross', name: m.invoices_not_sent },
} as const;

/** How the latest sending of an invoice ended; a dash if there was none. */
export function SendStatus({ sent }: { sent: Invoice['sent'] }) {
  if (sent === null) return <span data-unknown>–</span>;
  const { tone, mark, name } = looks[sent.status];
  return <StatusBadge tone={tone} mark={mark} text={name()} />;
}
