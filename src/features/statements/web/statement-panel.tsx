import { m } from '#shared/texts/messages.js';
import { formatRupiah } from '#web/format/format.ts';
import { Panel } from '#web/ui/layout/panel.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import type { Statement } from '../statements.contract.ts';
import { statementColumns } from './statement-columns.view.tsx';

/** The statement of one company: its tickets, and the sum of their totals. */
export function StatementPanel({ statement }: { statement: Statement }) {
  const { company_code: code, company_name: name, tickets, total } = statement;
  const title = `${code} (${name})`;
  return (
    <Panel
      title={title}
      flush
      toolbar={<strong className="tabular">{m.statements_owes({ total: formatRupiah(total) })}</strong>}
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
