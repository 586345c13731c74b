/** Returns the props of a Mantine button that may be off and keeps the focus, which `disabled` would drop. */
export const softDisabledProps = (isOff: boolean, onPress: () => void) => ({
  'aria-disabled': isOff,
  'data-disabled': isOff,
  onClick: () => isOff || onPress(),
});
