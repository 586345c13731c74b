import { useCallback } from 'react';
import { type createBrowserRouter, useLocation } from 'react-router';

/** The path of the screen that is shown, or of the one that is being fetched to be shown. */
let headedFor: string | null = null;

/** Knows from now on where a router leads, from the press of a link on: the address follows when the screen is there. */
export function followRouter(router: ReturnType<typeof createBrowserRouter>): void {
  headedFor = router.state.location.pathname;
  router.subscribe(({ location, navigation }) => {
    headedFor = (navigation.location ?? location).pathname;
  });
}

/**
 * Returns a function that runs a delayed change of the address, unless the user has started to leave the screen: the
 * change would lead back to it.
 */
export function useWhileHere(): (act: () => void) => void {
  const { pathname } = useLocation();
  return useCallback(
    (act) => {
      if (headedFor === null || headedFor === pathname) act();
    },
    [pathname],
  );
}
