import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ProxySet } from '#features/proxies/proxies.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { ProxySetBadge } from './proxy-set-card.tsx';
import styles from './proxy-set-dialog.module.css';

/** A set may hold hundreds of thousands of proxies; the list grows by this many as one asks for more. */
const step = 100;

type Props = { set: ProxySet; isDeleted: boolean; onClose: () => void };

export function ProxySetDialog({ set, isDeleted, onClose }: Props) {
  const [limit, setLimit] = useState(step);
  const listed = set.proxies.slice(0, limit);
  const hidden = set.proxies.length - listed.length;
  return (
    <Dialog title={set.proxy_set} width="wide" closeButton onClose={onClose}>
      {isDeleted && <Outcome tone="warning">{m.proxies_gone()}</Outcome>}
      <div className={layout.spread}>
        <div className={layout.row}>
          <ProxySetBadge status={set.status} />
          <span className={typography.dim}>
            {m.proxies_in_set({ count: set.proxies_count, number: formatNumber(set.proxies_count) })}
          </span>
        </div>
        <CopyButton text={set.proxies.join('\n')} label={m.proxies_copy_all()} />
      </div>
      <section
        className={styles.proxyList}
        aria-label={m.proxies_detail_list({ name: set.proxy_set })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <ul>
          {listed.map((proxy) => (
            <li key={proxy}>
              <span className={typography.mono}>{proxy}</span>
              <CopyButton text={proxy} label={m.common_copy()} name={m.proxies_copy_one({ proxy })} />
            </li>
          ))}
        </ul>
      </section>
      {hidden > 0 && (
        <div className={layout.spread}>
          <span className={typography.dim} role="status">
            {m.proxies_shown_of({
              shown: formatNumber(listed.length),
              total: formatNumber(set.proxies.length),
            })}
          </span>
          <Button
            ref={passFocusOn}
            variant="default"
            size="compact-md"
            onClick={() => setLimit(limit + step)}
          >
            {m.proxies_show_more({ count: formatNumber(Math.min(step, hidden)) })}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
