import { Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { BudgetNotice } from '#features/clients/web/budgets/budget-notice.view.tsx';
import { ownCompanyQuery } from '#features/clients/web/clients.api.ts';
import { InactiveNotice } from '#features/clients/web/inactive-notice.view.tsx';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { findTicketsQuery, ticketQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FileDrop } from '#web/ui/field/file-drop.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import { listOrders, OrderField, priceRows } from './form/order-field.tsx';
import { FreshField, PasteField } from './form/paste-field.tsx';
import { splitSerials } from './form/split-serials.ts';
import { HowItWorks } from './how-it-works.tsx';
import { expectImport, hasFewSerials } from './preview/expect-import.ts';
import { FewSerialsQuestion } from './preview/few-serials-question.tsx';
import { PreviewPanel } from './preview/preview-panel.tsx';
import { previewSwitch, useSheetPreview } from './preview/use-sheet-preview.ts';
import { ImportResult } from './report/import-result.tsx';
import { RefusedCells } from './report/refused-cells.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { type Upload, useUpload } from './upload-provider.tsx';
import '@mantine/core/styles/Switch.layer.css';
import './upload-page.css';

const redirectMs = 2000;

/** Upload Data: an Excel file or pasted serials become a ticket, or fill an order that waits for its rows. */
export function Component() {
  const navigate = useNavigate();
  const upload = useUpload();
  const { answer, way } = upload;
  const isLocked = upload.busy || answer !== null;
  /** Returns the reason why the choice cannot be sent. */
  const [problem, setProblem] = useState<string | null>(null);
  const orders = useQuery(findTicketsQuery({ kind: 'order', status: 'Pending', limit: 1000 }));
  const options = listOrders(orders.data ?? [], upload.order);
  const order = upload.order ?? options[0]?.value ?? '';
  const { data: ticket } = useQuery({ ...ticketQuery(order), enabled: order !== '' });
  const isPreviewOn = previewSwitch.useValue();
  const preview = useSheetPreview(upload);
  const freshDays = parseWholeNumber(upload.freshDays);
  const { data: own } = useQuery(ownCompanyQuery);
  const choices = {
    corrections: preview.corrections,
    freshDays,
    billsKnown: own?.client.bill_known !== false,
  };
  const expected = preview.isOn && preview.settled ? expectImport(preview.settled, choices) : undefined;
  const formId = useId();
  /** Whether the user is asked if a file with few serials is meant. */
  const [isAsking, setAsking] = useState(false);
  useFollow(answer, async (ticket) => {
    await navigate(paths.dataOf(ticket));
    upload.forget();
  });

  // An order that a colleague fills in the meantime stays chosen, because another ticket may have another price.
  const keepOrder = () => {
    if (order !== '') upload.setOrder(order);
  };
  const choose = (file: File | null) => {
    const isSheet = file === null || /\.xlsx?$/i.test(file.name);
    setProblem(isSheet ? null : m.data_upload_wrong_kind());
    if (!isSheet) return;
    upload.choose(file);
    keepOrder();
  };
  const changeWay = (next: Upload['way']) => {
    setProblem(null);
    upload.setWay(next);
  };
  const changeText = (text: string) => {
    setProblem(null);
    upload.setText(text);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const content = way === 'file' ? upload.file : splitSerials(upload.text);
    const isEmpty = content === null || (Array.isArray(content) && content.length === 0);
    const missing = way === 'file' ? m.data_upload_no_file() : m.data_paste_empty();
    setProblem(isEmpty ? missing : null);
    if (isEmpty) return;
    keepOrder();
    if (expected && hasFewSerials(expected)) setAsking(true);
    else send(content);
  };
  const send = (content: File | string[]) => {
    const { choice, corrections } = preview;
    void upload.start({ content, order, choice, corrections, freshDays });
  };
  const error = problem ?? upload.error;
  return (
    <>
      <PageHeader title={m.common_menu_upload()} subtitle={m.data_upload_subtitle()} />
      {orders.isPending && <PanelSkeleton height={360} />}
      {/* The field for orders would move the others if it came after them. */}
      <div className="stack" hidden={orders.isPending}>
        <Banner tone="warning">
          <p lang="en">{m.data_delete_first({}, { locale: 'en' })}</p>
          <p lang="id">{m.data_delete_first({}, { locale: 'id' })}</p>
        </Banner>
        <InactiveNotice />
        <div className="main-and-aside">
          <div className="stack">
            <Panel title={way === 'file' ? m.data_upload_title() : m.data_paste_title()}>
              <form id={formId} className="stack" onSubmit={submit}>
                {error !== null && (
                  <Banner tone="error">
                    {error}
                    {problem === null && <RefusedCells cells={upload.invalidCells} />}
                  </Banner>
                )}
                {answer !== null && <ImportResult answer={answer} />}
                <ReadState read={orders}>
                  {() =>
                    options.length > 0 && (
                      <OrderField
                        order={order}
                        options={options}
                        ticket={ticket}
                        disabled={isLocked}
                        onOrder={upload.setOrder}
                      />
                    )
                  }
                </ReadState>
                <Tabs label={m.data_upload_ways()} tabs={listWays()} value={way} onChange={changeWay}>
                  {/* Hidden, it still takes a file that is dropped. */}
                  <div className="stack" hidden={way !== 'file'}>
                    <FileDrop
                      label={m.data_upload_drop_area()}
                      accept=".xlsx,.xls"
                      prompt={m.data_upload_drop()}
                      hint={m.data_upload_accepts()}
                      file={upload.file}
                      onFile={choose}
                      disabled={isLocked}
                    />
                    <Switch
                      label={m.preview_switch()}
                      checked={isPreviewOn}
                      disabled={isLocked}
                      onChange={({ target }) => previewSwitch.set(target.checked)}
                    />
                  </div>
                  {way === 'text' && (
                    <PasteField text={upload.text} onText={changeText} disabled={isLocked} />
                  )}
                </Tabs>
              </form>
            </Panel>
            {/* A refusal of the upload itself says the same. */}
            {preview.isOn && (preview.refusal === null || error === null) && (
              <PreviewPanel
                preview={preview}
                choice={upload.choice}
                onChoose={upload.setChoice}
                typed={upload.typed}
                onType={upload.setTyped}
                choices={choices}
                onReuse={(days) => upload.setFreshDays(String(days))}
                priceOf={(shown, billed) => priceRows(shown, billed, order, ticket)}
              />
            )}
            <Panel>
              <div className="stack">
                <FreshField
                  form={formId}
                  days={upload.freshDays}
                  onDays={upload.setFreshDays}
                  disabled={isLocked}
                />
                <UploadProgress upload={upload} />
                {answer === null ? (
                  <Button
                    key="send"
                    type="submit"
                    form={formId}
                    size="md"
                    // Until the orders are known the sheet could become a ticket of another price, and until its preview
                    // is read another column could be meant.
                    disabled={
                      upload.busy ||
                      orders.data === undefined ||
                      orders.isError ||
                      (preview.isOn && preview.isReading && preview.settled === undefined)
                    }
                  >
                    {describeButton(way, upload.busy)}
                  </Button>
                ) : (
                  <Button key="next" size="md" variant="default" onClick={upload.forget}>
                    {upload.sentName === null ? m.data_paste_next() : m.data_upload_next()}
                  </Button>
                )}
                {/* Last, so that it moves nothing when it arrives. */}
                {answer === null && <BudgetNotice />}
              </div>
            </Panel>
          </div>
          <HowItWorks />
        </div>
      </div>
      {isAsking && expected && preview.settled && (
        <FewSerialsQuestion
          expected={expected}
          column={preview.settled.column}
          onUpload={() => upload.file && send(upload.file)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function listWays(): { value: Upload['way']; label: string }[] {
  return [
    { value: 'file', label: m.data_upload_way_file() },
    { value: 'text', label: m.data_paste() },
  ];
}

function describeButton(way: Upload['way'], busy: boolean): string {
  if (busy) return m.data_uploading();
  return way === 'file' ? m.data_upload_file() : m.data_paste_send();
}

/** Opens the ticket after a delay, but not if the result is older than the page: the user came back to read it. */
function useFollow(answer: ImportAnswer | null, follow: (ticket: string) => void): void {
  const known = useRef(answer);
  const latest = useRef(follow);
  const unlessLeaving = useUnlessLeaving();
  latest.current = follow;
  useEffect(() => {
    if (answer === null || answer === known.current) return undefined;
    const timer = setTimeout(
      () => unlessLeaving(() => latest.current(answer.ticket.ticket_number)),
      redirectMs,
    );
    return () => clearTimeout(timer);
  }, [answer, unlessLeaving]);
}
