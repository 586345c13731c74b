import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import './tabs.css';

type Tab<T extends string> = { value: T; label: string };

type Props<T extends string> = {
  /** Names the row of tabs. */
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  /** `replace`: moved on by an arrow; a row of tabs passed through is no row of steps back. */
  onChange: (value: T, how: { replace: boolean }) => void;
  /** Right of the tabs, in the same row. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A row of tabs and what the chosen one shows. Arrows, Home and End move and choose; Tab goes on to the content. */
export function Tabs<T extends string>({ label, tabs, value, onChange, aside, children }: Props<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = tabs.findIndex((tab) => tab.value === value);

  const onKeyDown = (event: KeyboardEvent) => {
    const targets: Record<string, number> = {
      ArrowRight: (chosen + 1) % tabs.length,
      ArrowLeft: (chosen - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    const tab = target === undefined ? undefined : tabs[target];
    if (target === undefined || tab === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll('button')[target]?.focus();
    onChange(tab.value, { replace: true });
  };

  return (
    <div className="tabs">
      <div className="tabs-bar">
        <div ref={list} className="tabs-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => tab.value !== value && onChange(tab.value, { replace: false })}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}
