import { Outlet } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { useUser } from '#web/client/session.ts';
import { useLanguage } from '#web/preferences/language.ts';
import { AccessDenied } from '#web/ui/feedback/access-denied.tsx';

/** Lets standard users through; a superadmin reads why not. */
export function OnlyStandard() {
  useLanguage();
  return useUser().superadmin ? <AccessDenied reason={m.common_standard_only()} /> : <Outlet />;
}

/** Lets superadmins through; `reason` (a text's function) tells the others why not. */
export function OnlySuperadmin({ reason = m.common_superadmin_only }: { reason?: () => string }) {
  useLanguage();
  return useUser().superadmin ? <Outlet /> : <AccessDenied reason={reason()} />;
}
