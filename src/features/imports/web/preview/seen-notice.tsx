import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { SheetPreview } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useUser } from '#web/client/session.ts';
import { formatAgo, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { countYounger, type ImportChoices } from './expect-import.ts';

const dayMs = 86_400_000;

type Props = {
  preview: SheetPreview;
  seen: NonNullable<SheetPreview['seen']>;
  choices: ImportChoices;
  /** Takes answers of the register that are younger than so many days; null takes none. */
  onReuse: (days: number | null) => void;
};

/** Says that the company has already checked these serials, and offers that ticket or its answers. */
export function SeenNotice({ preview, seen, choices, onReuse }: Props) {
  const { email } = useUser();
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  const days = Math.floor((Date.now() - Date.parse(seen.at)) / dayMs) + 1;
  const reusable = countYounger(preview, days);
  const isReused = choices.freshDays !== null && choices.freshDays >= days;
  const number = formatNumber(reusable);
  return (
    <Banner tone="warning">
      <p>{describeSeen(seen, preview.sheet !== '', email)}</p>
      {reusable > 0 && !isReused && (
        <p>
          {choices.billsKnown
            ? m.preview_seen_saves_time({ count: reusable, number })
            : m.preview_seen_saves_money({ count: reusable, number })}
        </p>
      )}
      <div className={layout.row}>
        <Link to={paths.ticketOf(seen.ticket_number)}>{m.preview_seen_open()}</Link>
        {reusable > 0 && !isReused && (
          <Button ref={passFocusOn} size="compact-sm" variant="default" onClick={() => onReuse(days)}>
            {m.preview_seen_reuse()}
          </Button>
        )}
        <Button
          ref={passFocusOn}
          size="compact-sm"
          variant="default"
          onClick={() => {
            onReuse(null);
            setDismissed(true);
          }}
        >
          {m.preview_seen_again()}
        </Button>
      </div>
    </Banner>
  );
}

function describeSeen({ at, by, ticket_number }: Props['seen'], isFile: boolean, ownEmail: string): string {
  const facts = { ago: formatAgo(at), number: ticket_number };
  if (by === null) return isFile ? m.preview_seen_file(facts) : m.preview_seen(facts);
  if (by.email === ownEmail) return isFile ? m.preview_seen_file_own(facts) : m.preview_seen_own(facts);
  const named = { ...facts, name: by.name };
  return isFile ? m.preview_seen_file_by(named) : m.preview_seen_by(named);
}
