import { oneOf, text, type Values } from '#web/address/search-params.ts';
import { rowsAddress } from '../rows/row-filter.view.ts';

/** The address of a comparison: the other ticket, the part that is shown, and its page, order and open row. */
export const compareAddress = {
  with: text(),
  part: oneOf(['changes', 'only_first', 'both', 'only_second'], 'changes'),
  kind: oneOf(['', 'activated', 'extended', 'ended', 'not_found', 'other', 'added', 'removed'], ''),
  ...rowsAddress,
};
type CompareState = Values<typeof compareAddress>;

/** The address as a part of the screen reads and changes it. */
export type CompareView = {
  state: CompareState;
  onChange: (change: Partial<CompareState>, options?: { replace: boolean }) => void;
};
