import { type MouseEvent, useSyncExternalStore } from 'react';

const moved = 'coverdesk.moved';

/**
 * Returns the path of a signed-out visitor. These small screens need no router, which makes the first load a quarter
 * lighter (docs/decisions/008).
 */
export function useSignedOutPath(): string {
  return useSyncExternalStore(follow, () => location.pathname);
}

/** Listens to the browser for Back and Forward, and to `goTo`. */
function follow(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(moved, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(moved, listener);
  };
}

/** Moves to another signed-out screen; `from` is the page to return to after signing in. */
export function goTo(
  path: string,
  { replace = false, from }: { replace?: boolean; from?: string } = {},
): void {
  const state = from === undefined ? null : { from };
  if (replace) history.replaceState(state, '', path);
  else history.pushState(state, '', path);
  dispatchEvent(new Event(moved));
}

export function getReturnPath(): string | null {
  const { from } = (history.state ?? {}) as { from?: unknown };
  return typeof from === 'string' ? from : null;
}

/** Follows a link between signed-out screens without a reload, unless the user asked for a new tab or window. */
export function followLink(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const from = getReturnPath();
  goTo(event.currentTarget.pathname, from === null ? {} : { from });
}
