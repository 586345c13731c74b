import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { OverlayOnDemand } from '#web/shell/pages/overlay-on-demand.tsx';
import buttons from '#web/styles/buttons.module.css';
import type DeleteDataDialog from './delete-data-dialog.tsx';

const loadDialog = () => import('./delete-data-dialog.tsx');

type Props = Pick<ComponentProps<typeof DeleteDataDialog>, 'what'> & {
  ticketNumber: string | undefined;
  disabled: boolean;
};

/** The button Delete All, and its dialog for the ticket that was shown when it was pressed. */
export function DeleteAll({ ticketNumber, what, disabled }: Props) {
  const [target, setTarget] = useState<string | null>(null);
  return (
    <>
      <Button
        variant="default"
        className={buttons.dangerOutline}
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        disabled={disabled}
        onClick={() => setTarget(ticketNumber ?? null)}
      >
        {m.data_delete_all()}
      </Button>
      {target !== null && (
        <OverlayOnDemand
          load={loadDialog}
          props={{ ticketNumber: target, what, onClose: () => setTarget(null) }}
        />
      )}
    </>
  );
}
