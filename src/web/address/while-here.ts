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
 * For what a screen does by itself, after a pause or an answer, to the address: it is left out once somebody is on the
 * way to another screen, from which it would lead back.
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
