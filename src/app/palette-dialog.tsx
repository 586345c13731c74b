import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCompanyCodes } from '#features/clients/web/clients.api.ts';
import { ticketNumbersQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/paths.ts';
import { useUser } from '#web/session.ts';
import { menuOf } from '#web/shell/menu.ts';
import { bestFirst } from '#web/ui/best-first.ts';
import { Dialog } from '#web/ui/dialog.tsx';

/** `name` is what alone tells it apart: a number, a code. */
type Place = { path: string; name: string; label: string; kind: string };

const shownAtOnce = 50;

/** Everything that one can jump to, in the user's scope. */
function usePlaces(): Place[] {
  const { superadmin } = useUser();
  const { data: tickets = [] } = useQuery(ticketNumbersQuery());
  const screens = menuOf(superadmin).map(({ path, label }) => ({ path, label: label() }));
  return [
    ...[...screens, { path: paths.changePassword, label: m.common_menu_change_password() }].map((screen) => ({
      ...screen,
      name: screen.label,
      kind: m.common_palette_screen(),
    })),
    ...tickets.map(({ ticket_number: number, company_code: code }) => ({
      path: paths.trackerOf(number),
      name: number,
      label: m.tickets_number({ number }),
      kind: code,
    })),
  ];
}

/** The companies, for superadmins: each leads to its tickets. */
function Companies({ onPlaces }: { onPlaces: (places: Place[]) => void }) {
  const codes = useCompanyCodes('all');
  useEffect(() => {
    onPlaces(
      codes.map(({ value, label }) => ({
        path: paths.ticketsOf(value),
        name: value,
        label,
        kind: m.tickets_company_code(),
      })),
    );
  }, [codes, onPlaces]);
  return null;
}

/** The palette itself: type, choose with the arrows, Enter goes. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { superadmin } = useUser();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [companies, setCompanies] = useState<Place[]>([]);

  const places = bestFirst([...usePlaces(), ...companies], typed, ({ name, label, kind }) => [
    name,
    label,
    kind,
  ]).slice(0, shownAtOnce);

  const go = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    navigate(place.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(places.length - 1, active + step));
      setActive(next);
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(places[active]);
    }
  };
  return (
    <Dialog title={m.common_go_to()} onClose={onClose}>
      {superadmin && <Companies onPlaces={setCompanies} />}
      <input
        className="palette-input"
        role="combobox"
        aria-label={m.common_go_to()}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={places.length > 0 ? `palette-${active}` : undefined}
        placeholder={superadmin ? m.common_palette_hint() : m.common_palette_hint_standard()}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
      />
      <div ref={list} id="palette-list" className="palette-list" role="listbox" aria-label={m.common_go_to()}>
        {places.map((place, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={place.path}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseMove={() => setActive(index)}
            onClick={() => go(place)}
          >
            <span>{place.label}</span>
            <span className="dim">{place.kind}</span>
          </div>
        ))}
      </div>
      {places.length === 0 && (
        <p className="dim" aria-live="polite">
          {m.common_no_matches()}
        </p>
      )}
    </Dialog>
  );
}
