import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useEdges } from '#web/ui/table/table-edges.ts';
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
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useEdges(frame);
  const chosen = tabs.findIndex((tab) => tab.value === value);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of tab is the cause
  useEffect(() => {
    if (frame.current) bringIntoSight(frame.current);
  }, [value]);

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
    frame.current?.querySelectorAll('button')[target]?.focus();
    onChange(tab.value, { replace: true });
  };

  return (
    <div className="tabs">
      <div className="tabs-bar">
        <div ref={frame} className="tabs-frame">
          <div ref={scroller} className="tabs-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
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
        </div>
        {aside}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}

/** Room beside the chosen tab, so that the next one is seen to be there. */
const beside = 24;

/** Scrolls a row of tabs to the chosen one where that lies out of sight; never the page. */
function bringIntoSight(frame: HTMLElement) {
  const list = frame.querySelector<HTMLElement>('[role="tablist"]');
  const tab = list?.querySelector<HTMLElement>('[aria-selected="true"]');
  if (!list || !tab) return;
  const from = tab.offsetLeft - beside;
  const to = tab.offsetLeft + tab.offsetWidth + beside;
  if (from < list.scrollLeft) list.scrollLeft = from;
  else if (to > list.scrollLeft + list.clientWidth) list.scrollLeft = to - list.clientWidth;
}
