import type { ReactNode, Ref } from 'react';
import buttons from '#web/styles/buttons.module.css';

type Props = {
  ref?: Ref<HTMLButtonElement>;
  label: string;
  pressed?: boolean;
  /** Keeps the focus, which someone who presses the button repeatedly would lose. */
  disabled?: boolean;
  onPress: () => void;
  /** The icon. */
  children: ReactNode;
};

/** A button that has only an icon. Its label is its name and its tip. */
export function IconButton({ ref, label, pressed, disabled = false, onPress, children }: Props) {
  return (
    <button
      ref={ref}
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
