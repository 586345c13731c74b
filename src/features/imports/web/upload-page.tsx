import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ticketNumbersQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format.ts';
import { paths } from '#web/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { ImportResult } from './import-result.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useUpload } from './use-upload.ts';
import './upload-page.css';

const redirectMs = 2000;

/** Upload Data: an Excel file becomes a ticket, or fills an order that waits for its rows. */
export function Component() {
  const navigate = useNavigate();
  const upload = useUpload();
  const [file, setFile] = useState<File | null>(null);
  const [order, setOrder] = useState('');
  const numbers = useQuery(ticketNumbersQuery());
  const orders = (numbers.data ?? []).filter((ticket) => ticket.status === 'Pending' && ticket.total === 0);
  const imported = upload.answer?.ticket.ticket_number;

  useEffect(() => {
    if (imported === undefined) return undefined;
    const timer = setTimeout(() => navigate(paths.dataOf(imported)), redirectMs);
    return () => clearTimeout(timer);
  }, [imported, navigate]);

  const choose = (next: File | null) => {
    const isSheet = next === null || /\.xlsx?$/i.test(next.name);
    upload.setError(isSheet ? null : m.data_upload_wrong_kind());
    if (isSheet) setFile(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file === null) upload.setError(m.data_upload_no_file());
    else upload.start(file, order);
  };
  return (
    <>
      <PageHeader title={m.common_menu_upload()} subtitle={m.data_upload_subtitle()} />
      <div className="stack">
        <Banner tone="warning">
          <p lang="en">{m.data_delete_first({}, { locale: 'en' })}</p>
          <p lang="id">{m.data_delete_first({}, { locale: 'id' })}</p>
        </Banner>
        <div className="upload-columns">
          <Panel title={m.data_upload_title()}>
            <form className="stack" onSubmit={submit}>
              {upload.error !== null && <Banner tone="error">{upload.error}</Banner>}
              {upload.answer !== null && <ImportResult answer={upload.answer} />}
              {orders.length > 0 && (
                <SelectField
                  label={m.data_upload_order()}
                  value={order}
                  disabled={upload.busy}
                  options={[
                    { value: '', label: m.data_upload_new_ticket() },
                    ...orders.map((ticket) => ({
                      value: ticket.ticket_number,
                      label: m.data_upload_order_option({
                        ticket: ticket.ticket_number,
                        count: formatNumber(ticket.data_count),
                      }),
                    })),
                  ]}
                  onChange={setOrder}
                />
              )}
              <FileDrop
                label={m.data_upload_drop_area()}
                accept=".xlsx,.xls"
                prompt={m.data_upload_drop()}
                hint={m.data_upload_accepts()}
                file={file}
                onFile={choose}
                disabled={upload.busy || upload.answer !== null}
              />
              <UploadProgress upload={upload} />
              <Button type="submit" size="md" disabled={upload.busy || upload.answer !== null}>
                {upload.busy ? m.data_uploading() : m.data_upload_file()}
              </Button>
            </form>
          </Panel>
          <HowItWorks />
        </div>
      </div>
    </>
  );
}
