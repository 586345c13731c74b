import { Link } from 'react-router';
import { BudgetBanner } from '#features/clients/web/budgets/budget-notice.view.tsx';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { describeImport } from './describe-import.ts';
import { ImportReportButton } from './import-report-button.view.tsx';

export function ImportResult({ answer }: { answer: ImportAnswer }) {
  const {
    invalid_count: invalid,
    duplicate_count: duplicates,
    known_count: knownCount,
    ticket,
    budget_warning: budget,
  } = answer;
  return (
    <div className={layout.tightStack}>
      <Outcome
        tone="success"
        action={
          <Link to={paths.dataOf(ticket.ticket_number)}>
            {m.data_upload_open_ticket({ ticket: ticket.ticket_number })}
          </Link>
        }
      >
        <p>{describeImport(answer)}</p>
        {knownCount > 0 && (
          <p>{m.data_upload_known({ count: knownCount, number: formatNumber(knownCount) })}</p>
        )}
      </Outcome>
      {(invalid > 0 || duplicates > 0) && (
        <Banner
          tone="warning"
          action={<ImportReportButton ticketNumber={ticket.ticket_number} size="compact-sm" />}
        >
          {invalid > 0 && <p>{m.data_upload_invalid({ count: invalid, number: formatNumber(invalid) })}</p>}
          {duplicates > 0 && (
            <p>{m.data_upload_duplicates({ count: duplicates, number: formatNumber(duplicates) })}</p>
          )}
        </Banner>
      )}
      {budget && <BudgetBanner limit={budget.monthly_rupiah} used={budget.used} />}
    </div>
  );
}
