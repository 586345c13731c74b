import { type KindBadges, kindBadges } from '#features/rechecks/web/change-table.view.tsx';
import type { TicketChangeKind } from '#features/results/results.contract.ts';
import { m } from '#shared/texts/messages.js';
import { oneOf, text, type Values } from '#web/address/search-params.ts';
import { rowsAddress } from '../rows/row-filter.view.ts';

/** The kinds of changes between two tickets. */
export const kinds: KindBadges<TicketChangeKind> = {
  ...kindBadges,
  added: { name: m.server_change_added, tone: 'blue', mark: 'info', isFirst: true },
  removed: { name: m.server_change_removed, tone: 'grey', mark: 'minus' },
};

/** The address of a comparison: the other ticket, the part that is shown, and its page, order and open row. */
export const compareAddress = {
  with: text(),
  part: oneOf(['changes', 'only_first', 'both', 'only_second'], 'changes'),
  kind: oneOf(['', ...(Object.keys(kinds) as TicketChangeKind[])], ''),
  ...rowsAddress,
};
type CompareState = Values<typeof compareAddress>;

/** The address as a part of the screen reads and changes it. */
export type CompareView = {
  state: CompareState;
  onChange: (change: Partial<CompareState>, options?: { replace: boolean }) => void;
};
