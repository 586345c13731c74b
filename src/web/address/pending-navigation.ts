import { useCallback } from 'react';
import { type createBrowserRouter, useLocation } from 'react-router';

/** The path of the screen that is loading, else of the screen that is shown. */
let pendingPath: string | null = null;

/** Records the target of each navigation when it starts. The address changes only when the screen has loaded. */
export function followRouter(router: ReturnType<typeof createBrowserRouter>): void {
  pendingPath = router.state.location.pathname;
  router.subscribe(({ location, navigation }) => {
    pendingPath = (navigation.location ?? location).pathname;
  });
}

/** Ends a router at the sign-out. An answer that comes later must not lead away from the signed-out screens. */
export function endRouter(router: ReturnType<typeof createBrowserRouter>): void {
  router.dispose();
  router.navigate = () => Promise.resolve();
}

/**
 * Returns a function that runs a delayed change of the address, unless the user has started to leave the screen: the
 * change would lead back to it.
 */
export function useUnlessLeaving(): (act: () => void) => void {
  const { pathname } = useLocation();
  return useCallback(
    (act) => {
      if (pendingPath === null || pendingPath === pathname) act();
    },
    [pathname],
  );
}
