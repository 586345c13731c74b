import { useQuery } from '@tanstack/react-query';
import { m } from '#shared/texts/messages.js';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { ownCompanyQuery } from './clients.api.ts';

/** Tells users of an Inactive company, before they begin, that they cannot upload. */
export function InactiveNotice() {
  const { data } = useQuery(ownCompanyQuery);
  if (data?.client.status !== '0') return null;
  return (
    <Banner tone="warning" title={m.clients_own_inactive()}>
      {m.clients_own_inactive_text()}
    </Banner>
  );
}
