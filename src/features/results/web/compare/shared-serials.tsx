import type { Comparison } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import './shared-serials.css';

type Props = { first: string; second: string; serials: Comparison['serials'] };

/** How many serials two tickets share: in numbers, and as a bar of those of the first, of both and of the second. */
export function SharedSerials({ first, second, serials }: Props) {
  const parts = [
    { name: m.data_compare_only({ number: first }), count: serials.only_first, part: 'first' },
    { name: m.data_compare_both(), count: serials.both, part: 'both' },
    { name: m.data_compare_only({ number: second }), count: serials.only_second, part: 'second' },
  ];
  return (
    <div className="stack tight">
      <FactList facts={parts.map(({ name, count }) => [name, formatNumber(count)])} />
      <div className="shared-serials" aria-hidden="true">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ part, count }) => (
            <span key={part} className={part} style={{ flexGrow: count }} />
          ))}
      </div>
      <p className="dim">{m.data_compare_shared_note()}</p>
    </div>
  );
}
