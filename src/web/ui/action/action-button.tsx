import { Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useId } from 'react';
import typography from '#web/styles/typography.module.css';

type Props = {
  label: string;
  icon: Icon;
  /** The id of the heading of the button's object, for screens with several such buttons. */
  describedBy: string;
  disabled?: boolean;
  /** Why it cannot be used now; disables it. */
  reason?: string | null;
  onClick: () => void;
};

/** One action of a card or panel. Disabled, it says why: to the pointer as a tip, to screen readers as its description. */
export function ActionButton({
  label,
  icon: ButtonIcon,
  describedBy,
  disabled,
  reason = null,
  onClick,
}: Props) {
  const id = useId();
  return (
    <span title={reason ?? undefined}>
      <Button
        size="compact-md"
        variant="default"
        leftSection={<ButtonIcon size={15} aria-hidden="true" />}
        disabled={disabled || reason !== null}
        aria-describedby={reason === null ? describedBy : `${describedBy} ${id}`}
        onClick={onClick}
      >
        {label}
      </Button>
      {reason !== null && (
        <span id={id} className={typography.srOnly}>
          {reason}
        </span>
      )}
    </span>
  );
}
