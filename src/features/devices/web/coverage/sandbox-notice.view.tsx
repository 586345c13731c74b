import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';

/** Says that answers are simulated, wherever one of the rows on screen came from the sandbox source. */
export function SandboxNotice({ rows }: { rows: readonly { source: string | null }[] | undefined }) {
  if (!rows?.some((row) => row.source === 'sandbox')) return null;
  return <StatusBadge tone="blue" mark="info" text={m.data_sandbox()} />;
}
