import { IconKey, IconListDetails, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { formatInstant } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { actionsColumn } from '#web/ui/table/actions-column.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import type { Webhook } from '../webhooks.contract.ts';
import { nameEvent } from './event-names.ts';

type Actions = Record<'edit' | 'test' | 'open' | 'renew' | 'remove', (webhook: Webhook) => void>;

/** Returns the host of a webhook, by which people know it. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;

/**
 * The columns of the list of webhooks; each row's menu leads to `actions`.
 * @param withCompany whether the reader sees those of several companies
 */
export function webhookColumns(actions: Actions, withCompany: boolean): Column<Webhook>[] {
  return [
    {
      key: 'url',
      card: 'title',
      header: m.webhooks_url,
      kind: 'text',
      width: 220,
      pinned: true,
      cell: hostOf,
    },
    {
      key: 'events',
      card: 'line',
      header: m.webhooks_events,
      kind: 'text',
      width: 220,
      cell: ({ events }) => events.map(nameEvent).join(', '),
    },
    ...(withCompany ? [company] : []),
    {
      key: 'state',
      card: 'state',
      header: m.webhooks_state,
      kind: 'state',
      width: 150,
      cell: (webhook) => <State of={webhook} />,
    },
    {
      key: 'created',
      card: 'none',
      header: m.webhooks_created,
      kind: 'instant',
      width: 160,
      cell: ({ created_at }) => formatInstant(created_at),
    },
    actionsColumn(hostOf, (webhook) => listActions(webhook, actions)),
  ];
}

const company: Column<Webhook> = {
  key: 'company',
  card: 'below',
  header: m.webhooks_company,
  kind: 'code',
  width: 130,
  cell: ({ company_code }) =>
    company_code === null ? (
      m.webhooks_all_companies()
    ) : (
      <span className={typography.mono}>{company_code}</span>
    ),
};

function State({ of: { active, failing_since, switched_off_at } }: { of: Webhook }) {
  if (switched_off_at !== null) {
    return (
      <StatusBadge
        tone="red"
        mark="cross"
        title={formatInstant(switched_off_at)}
        text={m.webhooks_switched_off()}
      />
    );
  }
  if (!active) return <StatusBadge tone="grey" mark="minus" text={m.webhooks_inactive()} />;
  if (failing_since !== null) {
    return (
      <StatusBadge
        tone="yellow"
        mark="clock"
        title={formatInstant(failing_since)}
        text={m.webhooks_failing()}
      />
    );
  }
  return <StatusBadge tone="green" mark="check" text={m.webhooks_active()} />;
}

function listActions(webhook: Webhook, { edit, test, open, renew, remove }: Actions) {
  return [
    { label: m.webhooks_deliveries(), icon: IconListDetails, onSelect: () => open(webhook) },
    { label: m.webhooks_test(), icon: IconSend, onSelect: () => test(webhook) },
    { label: m.webhooks_edit(), icon: IconPencil, onSelect: () => edit(webhook) },
    { label: m.webhooks_renew(), icon: IconKey, onSelect: () => renew(webhook) },
    { label: m.webhooks_delete(), icon: IconTrash, danger: true, onSelect: () => remove(webhook) },
  ];
}
