import { type RefObject, useCallback } from 'react';

/**
 * Marks the frame of what scrolls where more of it lies to a side (`data-more-left`, `data-more-right`), for the fades at its edges.
 * @returns the ref of what scrolls
 */
export function useEdges(frame: RefObject<HTMLElement | null>) {
  return useCallback(
    (scroller: HTMLElement | null) => {
      if (scroller === null) return undefined;
      const mark = () => {
        const { scrollLeft, scrollWidth, clientWidth } = scroller;
        frame.current?.toggleAttribute('data-more-left', scrollLeft > 1);
        frame.current?.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - 1);
      };
      const sizes = new ResizeObserver(mark);
      sizes.observe(scroller);
      if (scroller.firstElementChild) sizes.observe(scroller.firstElementChild);
      scroller.addEventListener('scroll', mark, { passive: true });
      return () => {
        sizes.disconnect();
        scroller.removeEventListener('scroll', mark);
      };
    },
    [frame],
  );
}
