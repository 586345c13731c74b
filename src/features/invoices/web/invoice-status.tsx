import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import type { Invoice } from '../invoices.contract.ts';

const looks = {
  draft: { tone: 'grey', mark: 'minus', name: m.invoices_draft },
  issued: { tone: 'blue', mark: 'clock', name: m.invoices_issued },
  paid: { tone: 'green', mark: 'check', name: m.invoices_paid },
  credited: { tone: 'grey', mark: 'cross', name: m.invoices_credited },
} as const;

export const listStatuses = () =>
  Object.entries(looks).map(([value, { name }]) => ({ value: value as Invoice['status'], label: name() }));

/** The status of an invoice; an issued one whose due day is over is "Overdue". */
export function InvoiceStatus({ invoice: { status, overdue } }: { invoice: Invoice }) {
  if (overdue) {
    return (
      <StatusBadge tone="red" mark="clock">
        {m.invoices_overdue()}
      </StatusBadge>
    );
  }
  const { tone, mark, name } = looks[status];
  return (
    <StatusBadge tone={tone} mark={mark}>
      {name()}
    </StatusBadge>
  );
}
