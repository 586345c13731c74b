import { m } from '#shared/texts/messages.js';
import { type Action, ActionMenu } from '#web/ui/overlay/action-menu.tsx';
import type { Column } from './table-column.ts';

/** Returns the last column of a list: a menu of the actions on each row, which `nameOf` names. */
export function actionsColumn<T>(
  nameOf: (row: NoInfer<T>) => string,
  actionsOf: (row: T) => readonly Action[],
): Column<T> {
  return {
    key: 'actions',
    header: m.clients_actions,
    kind: 'action',
    card: 'menu',
    cell: (row) => (
      <ActionMenu label={m.clients_actions_of({ name: nameOf(row) })} actions={() => actionsOf(row)} />
    ),
  };
}
