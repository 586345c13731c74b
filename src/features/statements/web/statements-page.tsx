import { Button } from '@mantine/core';
import { IconFileInvoice } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { ticketsKey } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { rememberedOneOf, text, useUrlState, wholeNumber } from '#web/address/search-params.ts';
import { fileOf } from '#web/client/download.ts';
import { readPage } from '#web/client/read.ts';
import { useUser } from '#web/client/session.ts';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { SaveButtons } from '#web/ui/action/save-buttons.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { ListFooter } from '#web/ui/table/list-footer.tsx';
import type {
  downloadStatements,
  listStatements,
  Statement,
  StatementSummary,
} from '../statements.contract.ts';
import { monthParam, useOpeningMonth } from './month.view.ts';
import { MonthPicker } from './month-picker.view.tsx';
import { statementColumns } from './statement-columns.view.tsx';
import styles from './statements-page.module.css';

const sizes = [10, 50, 100] as const;

const address = {
  month: monthParam,
  company_code: text(),
  page: wholeNumber(1),
  limit: rememberedOneOf(sizes, 10, 'coverdesk.statementsPageSize'),
};

/** Statements: what each company owes for the tickets that ended in a month. */
export function StatementsPage() {
  const { superadmin } = useUser();
  const [{ month: named, company_code: code, page, limit }, setState] = useUrlState(address);
  const openingMonth = useOpeningMonth();
  const month = named === '' ? openingMonth : named;
  const choice = { month, company_code: superadmin ? code : '' };
  const query = { ...choice, page, limit };
  const read = useQuery(
    // Amounts of another month or company are never shown in its place.
    readPage<typeof listStatements>(
      [...ticketsKey, 'statements', month, choice.company_code],
      'GET /statements',
      { query },
    ),
  );
  return (
    <>
      <PageHeader
        title={m.statements_title()}
        subtitle={superadmin ? m.statements_subtitle() : m.statements_subtitle_own()}
        actions={
          <>
            {superadmin && (
              <Button
                component={Link}
                to={paths.monthEndOf(month)}
                variant="default"
                leftSection={<IconFileInvoice size={16} aria-hidden="true" />}
              >
                {m.invoices_month_end()}
              </Button>
            )}
            <SaveButtons
              texts={{ saved: m.statements_saved(), failed: m.statements_save_failed() }}
              fileOf={(format) =>
                fileOf<typeof downloadStatements>('GET /statements/download', {
                  query: { ...choice, format },
                })
              }
            />
          </>
        }
      />
      <div className={layout.stack}>
        <Panel>
          <div className={styles.statementsChoice}>
            <MonthPicker month={month} onChange={(next) => setState({ month: next, page: 1 })} />
            {superadmin && (
              <CompanySelect
                label={m.statements_company()}
                placeholder={m.statements_all_companies()}
                value={code}
                any={m.statements_all_companies()}
                onChange={(company_code) => setState({ company_code, page: 1 })}
              />
            )}
          </div>
        </Panel>
        {read.data && read.data.summary.companies > 1 && <Sums summary={read.data.summary} />}
        <ReadState read={read} boxed>
          {(list) =>
            list === undefined ? (
              <PanelSkeleton height={240} />
            ) : list.data.length === 0 ? (
              <Panel>
                <EmptyState title={m.statements_none()} hint={m.statements_none_hint()} />
              </Panel>
            ) : (
              list.data.map((statement) => (
                <StatementPanel key={statement.company_code} statement={statement} />
              ))
            )
          }
        </ReadState>
        <ListFooter
          pagination={read.data?.pagination}
          sizes={sizes}
          limit={limit}
          from={sizes[0] + 1}
          onPage={setState}
          rangeOfOnePage={false}
        />
      </div>
    </>
  );
}

/** The sums of all companies' statements. */
function Sums({ summary }: { summary: StatementSummary }) {
  const { companies, tickets, billable, subtotal, discount, total } = summary;
  return (
    <Panel title={m.statements_sums()}>
      <FactList
        facts={[
          [m.statements_companies(), formatNumber(companies)],
          [m.invoices_tickets(), formatNumber(tickets)],
          [m.tickets_billable(), formatNumber(billable)],
          [m.tickets_subtotal(), formatRupiah(subtotal)],
          [m.tickets_discount(), formatRupiah(discount)],
          [m.statements_total(), formatRupiah(total)],
        ]}
      />
    </Panel>
  );
}

function StatementPanel({ statement }: { statement: Statement }) {
  const { company_code: code, company_name: name, tickets, total } = statement;
  const title = `${code} (${name})`;
  return (
    <Panel
      title={title}
      flush
      toolbar={
        <strong className={typography.tabular}>{m.statements_owes({ total: formatRupiah(total) })}</strong>
      }
    >
      <DataTable
        label={title}
        name="statements"
        columns={statementColumns}
        rows={tickets}
        rowKey={({ ticket_number }) => ticket_number}
      />
    </Panel>
  );
}
