import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import './fold.css';

type Props = {
  open: boolean;
  /** The id of what it folds, which has the class `folded` while it is not open. */
  controls: string;
  onToggle: (open: boolean) => void;
};

/** Shows and hides filters on phones, where they would push what they narrow below the screen; wider it is not there. */
export function FoldButton({ open, controls, onToggle }: Props) {
  return (
    <Button
      className="fold-button"
      variant="default"
      flex="none"
      leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden="true" />}
      aria-expanded={open}
      aria-controls={controls}
      onClick={() => onToggle(!open)}
    >
      {m.common_filters()}
    </Button>
  );
}
