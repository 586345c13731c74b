import { useQuery } from '@tanstack/react-query';
import type { ResultRow } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { SidePanel } from '#web/ui/overlay/side-panel.tsx';
import { resultsQuery } from '../results.api.ts';
import { RowFacts } from './row-facts.tsx';

type Props = {
  ticketNumber: string;
  position: number;
  rows: readonly ResultRow[];
  onOpen: (position: number) => void;
  /** Turns the page and opens the row that comes next; undefined where there is none. */
  onTurn: { back: (() => void) | undefined; on: (() => void) | undefined };
  onClose: () => void;
};

/** The row that is open: one of the page in sight, or any other of the ticket that an address names. */
export default function OpenRow({ ticketNumber, position, rows, onOpen, onTurn, onClose }: Props) {
  const place = rows.findIndex((row) => row.position === position);
  const read = useQuery({
    ...resultsQuery({ ticket_number: ticketNumber, positions: String(position), limit: 1 }),
    enabled: place < 0,
  });
  const here = rows[place];
  const beside = (by: -1 | 1) => {
    const next = here && rows[place + by];
    return next && (() => onOpen(next.position));
  };
  return (
    <SidePanel
      title={m.results_row({ position: formatNumber(position) })}
      onPrevious={beside(-1) ?? (place === 0 ? onTurn.back : undefined)}
      onNext={beside(1) ?? (place === rows.length - 1 ? onTurn.on : undefined)}
      onClose={onClose}
    >
      {here ? (
        <RowFacts row={here} />
      ) : (
        <ReadState read={read}>
          {(answer) => {
            const [row] = answer?.data ?? [];
            if (row?.position === position) return <RowFacts row={row} />;
            return read.isFetching ? (
              <Skeleton height={320} />
            ) : (
              <p>{m.results_row_gone({ position: formatNumber(position) })}</p>
            );
          }}
        </ReadState>
      )}
    </SidePanel>
  );
}
