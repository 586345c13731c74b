import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/failure.ts';
import { paths } from '#web/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { toast } from '#web/ui/toast.tsx';
import { downloadImportReport } from './imports.api.ts';

/** What an import brought: the message, and what was left out or cannot be looked up. */
export function ImportResult({ answer }: { answer: ImportAnswer }) {
  const { invalid_count: invalid, duplicate_count: duplicates, ticket } = answer;
  const save = () =>
    downloadImportReport(ticket.ticket_number).catch((failure) =>
      toast.error(describeFailure(failure, m.data_download_failed())),
    );
  return (
    <div className="stack tight">
      <Banner
        tone="success"
        action={
          <Link to={paths.dataOf(ticket.ticket_number)}>
            {m.data_upload_open_ticket({ ticket: ticket.ticket_number })}
          </Link>
        }
      >
        <p>{answer.message}</p>
      </Banner>
      {(invalid > 0 || duplicates > 0) && (
        <Banner
          tone="warning"
          action={
            <Button size="compact-sm" variant="default" onClick={save}>
              {m.data_upload_report()}
            </Button>
          }
        >
          {invalid > 0 && <p>{m.data_upload_invalid({ count: invalid })}</p>}
          {duplicates > 0 && <p>{m.data_upload_duplicates({ count: duplicates })}</p>}
        </Banner>
      )}
    </div>
  );
}
