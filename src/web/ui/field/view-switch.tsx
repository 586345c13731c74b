import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import './view-switch.css';

export const views = ['cards', 'list'] as const;
type View = (typeof views)[number];

/** Chooses between cards and a dense list of the same things. */
export function ViewSwitch({ value, onChange }: { value: View; onChange: (view: View) => void }) {
  const options = [
    { view: 'cards', label: m.common_view_cards(), icon: IconLayoutGrid },
    { view: 'list', label: m.common_view_list(), icon: IconList },
  ] as const;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form
    <div className="view-switch" role="group" aria-label={m.common_view()}>
      {options.map(({ view, label, icon: ViewIcon }) => (
        <button key={view} type="button" aria-pressed={view === value} onClick={() => onChange(view)}>
          <ViewIcon size={16} aria-hidden="true" />
          {label}
        </button>
      ))}
    </div>
  );
}
