import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { findTicketsQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { useFirst } from '#web/client/use-first.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';

/**
 * Says that the company has imported a ticket since this was mounted: its serials are known now, or the file itself was
 * uploaded. The preview is not read again by itself, because its file may be large.
 */
export function NewerImport({ onReadAgain }: { onReadAgain: () => void }) {
  const { data } = useQuery(findTicketsQuery());
  const imported = data
    ?.filter((ticket) => ticket.imported && ticket.kind !== 'recheck')
    .map(({ ticket_number: number }) => number);
  const first = useFirst(imported);
  // Further down, an older ticket may have entered the list because one was deleted.
  const newest = imported?.[0];
  if (newest === undefined || !first || first.includes(newest)) return null;
  return (
    <Banner
      tone="warning"
      action={
        <Button ref={passFocusOn} size="compact-sm" variant="default" onClick={onReadAgain}>
          {m.preview_read_again()}
        </Button>
      }
    >
      {m.preview_newer_import()}
    </Banner>
  );
}
