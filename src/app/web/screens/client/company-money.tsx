import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Budget } from '#features/clients/budgets.contract.ts';
import { budgetQuery } from '#features/clients/web/budgets/budgets.api.ts';
import { termsQuery } from '#features/clients/web/terms/terms.api.ts';
import { TermsDialog } from '#features/clients/web/terms/terms-dialog.tsx';
import { TermsFacts } from '#features/clients/web/terms/terms-facts.view.tsx';
import type { listDevices } from '#features/devices/devices.contract.ts';
import type { listStatements } from '#features/statements/statements.contract.ts';
import { useThisMonth } from '#features/statements/web/month.view.ts';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { read } from '#web/client/read.ts';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Part } from './short-list.tsx';

/** This month beside the budget, devices, and terms. */
export function CompanyMoney({ code, name }: { code: string; name: string }) {
  return (
    <>
      <ThisMonth code={code} />
      <Devices code={code} />
      <Terms code={code} name={name} />
    </>
  );
}

function ThisMonth({ code }: { code: string }) {
  const month = useThisMonth();
  const statements = useQuery(
    read<typeof listStatements>([...ticketsKey, 'statements'], 'GET /statements', {
      query: { month, company_code: code, limit: 1 },
    }),
  );
  const budget = useQuery(budgetQuery(code));
  return (
    <Part title={m.clients_this_month()} read={statements} to={`${paths.statements}?company_code=${code}`}>
      {({ summary }) => (
        <>
          <FactList
            facts={[
              [m.invoices_tickets(), formatNumber(summary.tickets)],
              [m.tickets_billable(), formatNumber(summary.billable)],
              [m.statements_total(), formatRupiah(summary.total)],
              [m.clients_budget_spent(), budget.data ? formatRupiah(budget.data.used) : '–'],
              [m.clients_budget_limit(), budget.data ? formatLimit(budget.data) : '–'],
            ]}
          />
          <PartNotRead read={budget} name={m.clients_budget()} />
        </>
      )}
    </Part>
  );
}

const formatLimit = ({ monthly_rupiah: limit }: Budget) =>
  limit === null ? m.clients_no_budget() : formatRupiah(limit);

function Devices({ code }: { code: string }) {
  const all = useQuery(
    read<typeof listDevices>(['devices'], 'GET /devices', {
      query: { company_code: code, counts: '1', limit: 1 },
    }),
  );
  const covered = useQuery(
    read<typeof listDevices>(['devices'], 'GET /devices', {
      query: { company_code: code, expired: 'false', limit: 1 },
    }),
  );
  const of = `company_code=${code}`;
  const link = (query: string, count: number | undefined) => (
    <Link to={paths.devicesOf(query)}>{count === undefined ? '–' : formatNumber(count)}</Link>
  );
  return (
    <Part title={m.common_menu_devices()} read={all} to={paths.devicesOf(of)}>
      {({ counts }) => (
        <>
          <FactList
            facts={[
              [m.clients_devices_all(), link(of, counts?.all)],
              [m.clients_devices_covered(), link(`${of}&expired=false`, covered.data?.pagination.totalItems)],
              [m.clients_devices_ending(), link(`${of}&ends_within=30`, counts?.ending_30)],
              [m.data_expired(), link(`${of}&expired=true`, counts?.expired)],
            ]}
          />
          <PartNotRead read={covered} name={m.clients_devices_covered()} />
        </>
      )}
    </Part>
  );
}

function Terms({ code, name }: { code: string; name: string }) {
  const terms = useQuery(termsQuery(code));
  const [editing, setEditing] = useState(false);
  return (
    <>
      <Part
        title={m.clients_terms()}
        read={terms}
        toolbar={
          <Button size="compact-sm" variant="default" onClick={() => setEditing(true)}>
            {m.common_edit()}
          </Button>
        }
      >
        {(data) => <TermsFacts terms={data} />}
      </Part>
      {editing && (
        <TermsDialog client={{ company_code: code, company_name: name }} onClose={() => setEditing(false)} />
      )}
    </>
  );
}
