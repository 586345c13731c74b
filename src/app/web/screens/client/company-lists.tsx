import { useQuery } from '@tanstack/react-query';
import type { listUsers } from '#features/accounts/users.contract.ts';
import { wholeName } from '#features/accounts/web/users/role-names.ts';
import type { listAudit } from '#features/audit/audit.contract.ts';
import { describeAction } from '#features/audit/audit-words.shared.ts';
import { nameActor, nameObject } from '#features/audit/describe-entry.shared.ts';
import type { listInvoices } from '#features/invoices/invoices.contract.ts';
import { InvoiceStatus, nameInvoice } from '#features/invoices/web/invoice-columns.tsx';
import { invoicesKey } from '#features/invoices/web/invoices.api.ts';
import type { findTickets } from '#features/tickets/tickets.contract.ts';
import { nameNumbered } from '#features/tickets/web/name-ticket.view.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import type { listWebhooks } from '#features/webhooks/webhooks.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { polled, read } from '#web/client/read.ts';
import * as format from '#web/format/format.ts';
import { ShortList } from './short-list.tsx';

const limit = 5;

/** The newest tickets, invoices, users, webhooks and audit entries of a client. */
export function CompanyLists({ code }: { code: string }) {
  const query = { company_code: code, limit };
  const tickets = useQuery(read<typeof findTickets>(ticketsKey, 'GET /tickets/find', { query }));
  const invoices = useQuery(
    polled(read<typeof listInvoices>(invoicesKey, 'GET /invoices', { query: { ...query, lines: '0' } })),
  );
  const users = useQuery(polled(read<typeof listUsers>(['users'], 'GET /users', { query })));
  const webhooks = useQuery(polled(read<typeof listWebhooks>(['webhooks'], 'GET /webhooks', { query })));
  const audit = useQuery(polled(read<typeof listAudit>(['audit'], 'GET /audit', { query })));
  const of = `?company_code=${code}`;
  return (
    <>
      <ShortList
        title={m.common_menu_tickets()}
        read={tickets}
        to={paths.ticketsOf(code)}
        linesOf={({ data }) =>
          data.map((ticket) => ({
            key: ticket._id,
            name: nameNumbered(ticket),
            to: paths.ticketOf(ticket.ticket_number),
            note: [
              ticket.uploaded_by?.name,
              format.formatNumber(ticket.total),
              format.formatRupiah(ticket.total_amount),
            ]
              .filter(Boolean)
              .join(' · '),
          }))
        }
      />
      <ShortList
        title={m.common_menu_invoices()}
        read={invoices}
        to={`${paths.invoices}${of}`}
        linesOf={({ data }) =>
          data.map((invoice) => ({
            key: invoice._id,
            name: nameInvoice(invoice),
            to: `${paths.invoices}${of}&invoice=${invoice._id}`,
            note: (
              <>
                {format.formatRupiah(invoice.total)} <InvoiceStatus invoice={invoice} />
              </>
            ),
          }))
        }
      />
      <ShortList
        title={m.common_menu_users()}
        read={users}
        to={`${paths.users}${of}`}
        linesOf={({ data }) =>
          data.map((user) => ({
            key: user._id,
            name: wholeName(user),
            to: paths.userOf(user.email),
            note: user.email,
          }))
        }
      />
      <ShortList
        title={m.common_menu_webhooks()}
        read={webhooks}
        to={`${paths.webhooks}${of}`}
        linesOf={({ data }) =>
          data.map(({ _id, url, active }) => ({
            key: _id,
            name: new URL(url).host,
            to: `${paths.webhooks}${of}&webhook=${_id}`,
            note: active ? m.clients_active() : m.clients_inactive(),
          }))
        }
      />
      <ShortList
        title={m.common_menu_audit()}
        read={audit}
        to={`${paths.audit}${of}`}
        linesOf={({ data }) =>
          data.map((entry) => ({
            key: entry._id,
            name: `${describeAction(entry.action)}: ${nameObject(entry, format)}`,
            note: `${nameActor(entry)} · ${format.formatInstant(entry.at)}`,
          }))
        }
      />
    </>
  );
}
