import { IconInfoCircle } from '@tabler/icons-react';
import type { ResultRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';

/** Says that results are simulated, wherever one of the rows on screen came from the sandbox source. */
export function SandboxNotice({ rows }: { rows: readonly ResultRow[] | undefined }) {
  if (!rows?.some((row) => row.source === 'sandbox')) return null;
  return (
    <StatusBadge tone="blue" icon={<IconInfoCircle aria-hidden="true" />}>
      {m.data_sandbox()}
    </StatusBadge>
  );
}
