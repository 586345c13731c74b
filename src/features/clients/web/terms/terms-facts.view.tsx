import { useQuery } from '@tanstack/react-query';
import type { Terms } from '#features/clients/terms.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatDollars, formatNumber } from '#web/format/format.ts';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { ownCompanyQuery } from '../clients.api.ts';
import { termsQuery } from './terms.api.ts';

/** The terms of the user's company, which superadmins set. */
export function OwnTermsDialog({ onClose }: { onClose: () => void }) {
  const own = useQuery(ownCompanyQuery);
  const code = own.data?.client.company_code ?? '';
  const terms = useQuery({ ...termsQuery(code), enabled: code !== '' });
  return (
    <Dialog title={m.clients_terms_own()} onClose={onClose}>
      {own.isError ? (
        <ReadState read={own}>{() => null}</ReadState>
      ) : (
        <ReadState read={terms}>
          {(data) => (data === undefined ? <Skeleton height={160} /> : <TermsFacts terms={data} />)}
        </ReadState>
      )}
    </Dialog>
  );
}

export function TermsFacts({ terms }: { terms: Terms }) {
  const { price, discount, payment_days: days, address, tax_number, invoice_emails } = terms;
  return (
    <FactList
      facts={[
        [m.tickets_price_per_data(), price === null ? m.clients_terms_price_usual() : formatDollars(price)],
        [m.tickets_discount(), `${discount}%`],
        [m.clients_terms_payment_days(), days === null ? '–' : formatNumber(days)],
        [m.invoices_address(), address || '–'],
        [m.invoices_tax_number(), tax_number || '–'],
        [m.clients_terms_emails(), invoice_emails.join('\n') || '–'],
      ]}
    />
  );
}
