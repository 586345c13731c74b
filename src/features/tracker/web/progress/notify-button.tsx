import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { askToNotify, canAskToNotify } from '#web/browser/notify.ts';

/** Offers a browser notification for the end of a ticket, until the user has allowed or refused it. */
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
