import { useEffect } from 'react';
import { endSession } from '#web/client/session.ts';

/** Ends the session; the visitor lands on `/`, which leads to sign-in and asks for no earlier page. */
export function LogoutPage() {
  useEffect(() => {
    history.replaceState(null, '', '/');
    endSession();
  }, []);
  return null;
}
