import { IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { ProxySet } from '#features/proxies/proxies.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant, formatLongDate, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { ActionButton } from '#web/ui/action/action-button.tsx';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import panels from '#web/ui/layout/panel.module.css';
import styles from './proxy-set-card.module.css';

type Props = { set: ProxySet; onOpen: () => void; onDelete: () => void };

/** One proxy set. The whole card opens it: the button with its name reaches over everything but Delete. */
export function ProxySetCard({ set, onOpen, onDelete }: Props) {
  const id = useId();
  const active = set.status === 'Active';
  return (
    <article className={`${panels.panel} ${styles.proxySet}`} aria-labelledby={id}>
      <div className={layout.spread}>
        <h2 id={id}>
          <button type="button" className={styles.proxySetOpen} aria-haspopup="dialog" onClick={onOpen}>
            {set.proxy_set}
          </button>
        </h2>
        <ProxySetBadge status={set.status} />
      </div>
      <dl className={styles.proxySetLines}>
        <div>
          <dt>{m.proxies_created()}</dt>
          <dd>{formatLongDate(set.date)}</dd>
        </div>
        <div>
          <dt>{m.proxies_count()}</dt>
          <dd>{formatNumber(set.proxies_count)}</dd>
        </div>
        <div>
          <dt>{active ? m.proxies_expires() : m.proxies_expired()}</dt>
          <dd>{formatInstant(set.expire_date)}</dd>
        </div>
        {active && set.remaining_time !== null && (
          <div>
            <dt>{m.proxies_remaining()}</dt>
            <dd>{set.remaining_time}</dd>
          </div>
        )}
      </dl>
      <div className={styles.proxySetFoot}>
        <ActionButton label={m.common_delete()} icon={IconTrash} describedBy={id} onClick={onDelete} />
      </div>
    </article>
  );
}

export function ProxySetBadge({ status }: Pick<ProxySet, 'status'>) {
  const isActive = status === 'Active';
  return (
    <StatusBadge
      tone={isActive ? 'green' : 'grey'}
      mark={isActive ? 'check' : 'minus'}
      text={isActive ? m.proxies_active() : m.proxies_inactive()}
    />
  );
}
