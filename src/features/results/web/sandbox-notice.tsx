import type { CoverageRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { Banner } from '#web/ui/banner.tsx';

/** Says that results are simulated, wherever one of the rows on screen came from the sandbox source. */
export function SandboxNotice({ rows }: { rows: readonly CoverageRow[] }) {
  if (!rows.some((row) => row.source === 'sandbox')) return null;
  return <Banner tone="info">{m.data_sandbox()}</Banner>;
}
