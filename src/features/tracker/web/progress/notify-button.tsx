import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { askToNotify, canAskToNotify } from '#web/browser/notify.ts';

/** Offers a notification of the browser for the end of a ticket, as long as nobody has answered that yet. */
export function NotifyButton() {
  const [isOpen, setIsOpen] = useState(canAskToNotify);
  if (!isOpen) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconBell size={14} aria-hidden="true" />}
      onClick={() => askToNotify().finally(() => setIsOpen(canAskToNotify()))}
    >
      {m.data_tracker_notify()}
    </Button>
  );
}
