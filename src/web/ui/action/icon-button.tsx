import type { ReactNode } from 'react';
import buttons from '#web/styles/buttons.module.css';
import { passFocusOn } from '../overlay/move-focus.ts';

type Props = {
  label: string;
  pressed?: boolean;
  /** Keeps the focus, which someone who presses the button repeatedly would lose. */
  disabled?: boolean;
  onPress: () => void;
  /** The icon. */
  children: ReactNode;
};

/** A button that has only an icon. Its label is its name and its tip. */
export function IconButton({ label, pressed, disabled = false, onPress, children }: Props) {
  return (
    <button
      ref={passFocusOn}
      type="button"
      className={buttons.iconButton}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      title={label}
      onClick={() => disabled || onPress()}
    >
      {children}
    </button>
  );
}
