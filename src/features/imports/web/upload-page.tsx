import { Button, NativeSelect, Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { InactiveNotice } from '#features/clients/web/inactive-notice.view.tsx';
import type { ImportAnswer, SheetPreview } from '#features/imports/imports.contract.ts';
import type { listTicketNumbers, Ticket } from '#features/tickets/tickets.contract.ts';
import { ticketNumbersQuery, ticketQuery } from '#features/tickets/web/tickets.api.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useWhileHere } from '#web/address/while-here.ts';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FileDrop } from '#web/ui/field/file-drop.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { ImportResult } from './import-result.tsx';
import { setPreviewOn, usePreviewOn } from './preview/preview-on.ts';
import { PreviewPanel } from './preview/preview-panel.tsx';
import { useSheetPreview } from './preview/use-sheet-preview.ts';
import { RefusedCells } from './refused-cells.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useUpload } from './upload-provider.tsx';
import './upload-page.css';

const redirectMs = 2000;

/** Upload Data: an Excel file becomes a ticket, or fills an order that waits for its rows. */
export function Component() {
  const navigate = useNavigate();
  const upload = useUpload();
  const { answer } = upload;
  /** Why what was chosen, or not, cannot be sent. */
  const [problem, setProblem] = useState<string | null>(null);
  const numbers = useQuery(ticketNumbersQuery());
  const options = listOrders(numbers.data ?? [], upload.order);
  const order = upload.order ?? options[0]?.value ?? '';
  const { data: ticket } = useQuery({ ...ticketQuery(order), enabled: order !== '' });
  const isPreviewOn = usePreviewOn();
  const preview = useSheetPreview(upload);
  useFollow(answer, async (ticket) => {
    await navigate(paths.dataOf(ticket));
    upload.forget();
  });

  const choose = (file: File | null) => {
    const isSheet = file === null || /\.xlsx?$/i.test(file.name);
    setProblem(isSheet ? null : m.data_upload_wrong_kind());
    if (!isSheet) return;
    upload.choose(file);
    // An order that a colleague fills meanwhile stays chosen: another ticket may have another price.
    if (order !== '') upload.setOrder(order);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(upload.file === null ? m.data_upload_no_file() : null);
    if (upload.file !== null) upload.start({ file: upload.file, order, choice: preview.choice });
  };
  const error = problem ?? upload.error;
  return (
    <>
      <PageHeader title={m.common_menu_upload()} subtitle={m.data_upload_subtitle()} />
      {numbers.isPending && <PanelSkeleton height={360} />}
      {/* The field for orders would move the others if it came after them. */}
      <div className="stack" hidden={numbers.isPending}>
        <Banner tone="warning">
          <p lang="en">{m.data_delete_first({}, { locale: 'en' })}</p>
          <p lang="id">{m.data_delete_first({}, { locale: 'id' })}</p>
        </Banner>
        <InactiveNotice />
        <div className="upload-columns">
          <div className="stack">
            <Panel title={m.data_upload_title()}>
              <form className="stack" onSubmit={submit}>
                {error !== null && (
                  <Banner tone="error">
                    {error}
                    {problem === null && <RefusedCells cells={upload.invalidCells} />}
                  </Banner>
                )}
                {answer !== null && <ImportResult answer={answer} />}
                <ReadState read={numbers}>
                  {() =>
                    options.length > 0 && (
                      <NativeSelect
                        label={m.data_upload_order()}
                        description={describeTerms(order, ticket)}
                        inputWrapperOrder={['label', 'input', 'description']}
                        value={order}
                        disabled={upload.busy || answer !== null}
                        data={[{ value: '', label: m.data_upload_new_ticket() }, ...options]}
                        onChange={({ target }) => upload.setOrder(target.value)}
                      />
                    )
                  }
                </ReadState>
                <FileDrop
                  label={m.data_upload_drop_area()}
                  accept=".xlsx,.xls"
                  prompt={m.data_upload_drop()}
                  hint={m.data_upload_accepts()}
                  file={upload.file}
                  onFile={choose}
                  disabled={upload.busy || answer !== null}
                />
                <Switch
                  label={m.preview_switch()}
                  checked={isPreviewOn}
                  disabled={upload.busy || answer !== null}
                  onChange={({ target }) => setPreviewOn(target.checked)}
                />
                <UploadProgress upload={upload} />
                {answer === null ? (
                  <Button
                    key="send"
                    type="submit"
                    size="md"
                    // Until the orders are known the sheet could become a ticket of another price.
                    disabled={upload.busy || numbers.data === undefined || numbers.isError}
                  >
                    {upload.busy ? m.data_uploading() : m.data_upload_file()}
                  </Button>
                ) : (
                  <Button key="next" size="md" variant="default" onClick={upload.forget}>
                    {m.data_upload_next()}
                  </Button>
                )}
              </form>
            </Panel>
            {/* A refusal of the upload itself says the same. */}
            {preview.isOn && (preview.refusal === null || error === null) && (
              <PreviewPanel
                preview={preview}
                choice={upload.choice}
                onChoose={upload.setChoice}
                priceOf={(shown) => priceRows(shown, order, ticket)}
              />
            )}
          </div>
          <HowItWorks />
        </div>
      </div>
    </>
  );
}

/** The orders that wait for their rows; the chosen one stays there although it was filled, since it is what is sent. */
function listOrders(tickets: Answer<typeof listTicketNumbers>['data'], chosen: string | null) {
  const options = tickets
    .filter((ticket) => ticket.status === 'Pending' && ticket.total === 0)
    .map(({ ticket_number: value, data_count }) => ({
      value,
      label: m.data_upload_order_option({ ticket: value, count: formatNumber(data_count) }),
    }));
  if (!chosen || options.some(({ value }) => value === chosen)) return options;
  return [{ value: chosen, label: m.tickets_number({ number: chosen }) }, ...options];
}

/** What an order costs, under the field that chooses it; keeps the line's room while it is read. */
function describeTerms(order: string, ticket: Ticket | undefined): string | undefined {
  if (order === '') return undefined;
  if (ticket === undefined) return m.common_loading();
  const price = `${m.tickets_price_per_data()}: ${formatRupiah(ticket.price_per_data)}`;
  return `${price} · ${m.tickets_discount_of({ percent: ticket.discount })}`;
}

/** The price of previewed rows in rupiah: an order has its own terms. */
function priceRows(preview: SheetPreview, order: string, ticket: Ticket | undefined) {
  if (order === '') return preview.price_total;
  return ticket && (preview.valid_count * ticket.price_per_data * (100 - ticket.discount)) / 100;
}

/** Leads on to the ticket, unless it was there before the page: whoever comes back to a result reads it at leisure. */
function useFollow(answer: ImportAnswer | null, follow: (ticket: string) => void): void {
  const known = useRef(answer);
  const latest = useRef(follow);
  const whileHere = useWhileHere();
  latest.current = follow;
  useEffect(() => {
    if (answer === null || answer === known.current) return undefined;
    const timer = setTimeout(() => whileHere(() => latest.current(answer.ticket.ticket_number)), redirectMs);
    return () => clearTimeout(timer);
  }, [answer, whileHere]);
}
