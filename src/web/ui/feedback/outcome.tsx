import { type ComponentProps, useEffect, useRef } from 'react';
import { Banner } from './banner.tsx';

/**
 * The outcome of an action, as a message inside its form. Scrolls into view when it appears, because the button that was
 * pressed may be a screen's height away.
 */
export function Outcome(props: ComponentProps<typeof Banner>) {
  const element = useRef<HTMLDivElement>(null);
  // Not in a layout effect: the focus returns to the button first, which may scroll to it.
  useEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={element}>
      <Banner {...props} />
    </div>
  );
}
