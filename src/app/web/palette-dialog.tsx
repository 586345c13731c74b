import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type PaletteTarget, targetKeyOf, usePaletteTargets } from '#features/search/web/palette-targets.ts';
import { maxSearchLength } from '#shared/search.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { useUser } from '#web/client/session.ts';
import type { SessionUser } from '#web/client/token.ts';
import { formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { RetryButton } from '#web/ui/feedback/error-state.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import styles from './command-palette.module.css';

/**
 * The dialog of the palette: type, choose with the arrows, press Enter. Enter pressed before results arrive, as barcode
 * scanners send it, opens the first result. It waits for that of a number even if targets known here contain the number.
 */
export default function PaletteDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const user = useUser();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  /** The key of the highlighted target, because places change when results arrive; null: the first one. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const { targets, isSearching, error, retry } = usePaletteTargets(typed);
  const active = Math.max(
    0,
    targets.findIndex((target) => targetKeyOf(target) === chosen),
  );
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const go = (target: PaletteTarget | undefined) => {
    if (target === undefined) return;
    onClose();
    navigate(target.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = targets[Math.max(0, Math.min(targets.length - 1, active + step))];
      setChosen(next ? targetKeyOf(next) : null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const isAwaited = chosen === null && (targets.length === 0 || /\d/.test(typed));
      if (isAwaited && isSearching) setSent(true);
      else go(targets[active]);
    }
  };
  const goOn = useEffectEvent(() => {
    setSent(false);
    go(targets[active]);
  });
  useEffect(() => {
    if (isSent && !isSearching) goOn();
  }, [isSent, isSearching]);
  return (
    <Dialog title={m.common_go_to()} onClose={onClose}>
      <TextInput
        size="md"
        role="combobox"
        aria-label={m.common_go_to()}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={targets.length > 0 ? `palette-${active}` : undefined}
        placeholder={describeSearchKinds(user)}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxSearchLength}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(null);
          setSent(false);
        }}
      />
      <div
        ref={list}
        id="palette-list"
        className={styles.paletteList}
        role="listbox"
        aria-label={m.common_go_to()}
      >
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={targetKeyOf(target)}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseMove={() => setChosen(targetKeyOf(target))}
            onClick={() => go(target)}
          >
            <span>
              {target.label}
              {target.detail && <span className={styles.paletteDetail}>{target.detail}</span>}
            </span>
            <span className={typography.dim}>{target.kind}</span>
          </div>
        ))}
      </div>
      <p className={isSearching || targets.length === 0 ? typography.dim : typography.srOnly} role="status">
        {isSearching ? m.common_palette_searching() : error === null && describeMatches(typed, targets)}
      </p>
      {error !== null && (
        <Banner tone="error" action={<RetryButton size="compact-sm" onRetry={retry} />}>
          {describeFailure(error, m.common_palette_search_failed())}
        </Banner>
      )}
    </Dialog>
  );
}

function describeMatches(typed: string, targets: readonly PaletteTarget[]): string {
  if (targets.length === 0) return m.common_no_matches();
  const { length: count } = targets;
  return typed === '' ? '' : m.common_matches({ count, number: formatNumber(count) });
}

/** Names the kinds that the palette finds for a user. */
function describeSearchKinds(user: SessionUser): string {
  if (user.superadmin) return m.common_palette_hint();
  return user.companyAdmin ? m.common_palette_hint_admin() : m.common_palette_hint_standard();
}
