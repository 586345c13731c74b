import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { BudgetNotice, useOwnBudget } from '#features/clients/web/budgets/budget-notice.view.tsx';
import { ownCompanyQuery } from '#features/clients/web/clients.api.ts';
import { InactiveNotice } from '#features/clients/web/inactive-notice.view.tsx';
import type { ImportAnswer, SheetPreview } from '#features/imports/imports.contract.ts';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { findTicketsQuery, ticketQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';
import { useDownloads } from '#web/client/download.ts';
import { useFirst } from '#web/client/use-first.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import { Lines } from '#web/ui/feedback/lines.tsx';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FileDrop } from '#web/ui/field/file-drop.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import { DeleteFirst } from './delete-first.tsx';
import { listOrders, OrderField, priceRows } from './form/order-field.tsx';
import { FreshField, PasteField } from './form/paste-field.tsx';
import { splitSerials } from './form/split-serials.ts';
import { useKeptOrder } from './form/use-kept-order.ts';
import { HowItWorks } from './how-it-works.tsx';
import { expectImport, hasFewSerials } from './preview/expect-import.ts';
import { FewSerialsQuestion } from './preview/few-serials-question.tsx';
import { PreviewPanel } from './preview/preview-panel.tsx';
import { previewSwitch, useSheetPreview } from './preview/use-sheet-preview.ts';
import { describeMeaning } from './preview/verdict.ts';
import { ImportResult } from './report/import-result.tsx';
import { RefusedCells } from './report/refused-cells.tsx';
import { UploadBar } from './upload-bar.tsx';
import { type Upload, useUpload } from './upload-provider.tsx';
import '@mantine/core/styles/Switch.layer.css';
import layout from '#web/styles/layout.module.css';
import styles from './upload-page.module.css';

const redirectMs = 2000;

/** The reasons why the choice cannot be sent. */
const problems = {
  wrongKind: m.data_upload_wrong_kind,
  noFile: m.data_upload_no_file,
  noText: m.data_paste_empty,
};

/** Upload Data: an Excel file or pasted serials become a ticket, or fill an order that waits for its rows. */
export function UploadPage() {
  const navigate = useNavigate();
  const upload = useUpload();
  const { answer, way } = upload;
  const isLocked = upload.busy || answer !== null;
  const [problem, setProblem] = useState<keyof typeof problems | null>(null);
  const orders = useQuery(findTicketsQuery({ kind: 'order', status: 'Pending', limit: 1000 }));
  const settledOrder = upload.order ?? upload.keptOrder;
  const options = listOrders(orders.data ?? [], settledOrder);
  const order = settledOrder ?? options[0]?.value ?? '';
  useKeptOrder(upload, order, orders.isSuccess && !orders.isFetching);
  const ticketRead = useQuery({ ...ticketQuery(order), enabled: order !== '' });
  const ticket = ticketRead.data;
  const isPreviewOn = previewSwitch.useValue();
  const preview = useSheetPreview(upload);
  const freshDays = parseWholeNumber(upload.freshDays);
  const { data: own } = useQuery(ownCompanyQuery);
  const choices = {
    corrections: preview.corrections,
    freshDays,
    billsKnown: own?.client.bill_known !== false,
  };
  const settled = preview.isOn ? preview.settled : undefined;
  const expected = settled && expectImport(settled, choices);
  const priceOf = (sheet: SheetPreview, billed: number) => priceRows(sheet, billed, order, ticketRead);
  const price = settled && expected && priceOf(settled, expected.billed);
  const former = useFormerTickets();
  const { isReading: isBudgetPending } = useOwnBudget();
  const isReady = !orders.isPending && !isBudgetPending && former !== undefined;
  const formId = useId();
  /** Whether the user is asked if a file with few serials is meant. */
  const [isAsking, setAsking] = useState(false);
  useFollow(answer, async (ticket) => {
    await navigate(paths.dataOf(ticket));
    upload.forget();
  });

  const choose = (file: File | null) => {
    const isSheet = file === null || /\.xlsx?$/i.test(file.name);
    setProblem(isSheet ? null : 'wrongKind');
    if (!isSheet) return;
    upload.choose(file);
  };
  const changeWay = (next: Upload['way']) => {
    setProblem(null);
    upload.setWay(next);
  };
  const changeText = (text: string) => {
    setProblem(null);
    upload.setText(text);
  };
  const send = () => {
    const content = way === 'file' ? upload.file : splitSerials(upload.text);
    const { choice, corrections, fields } = preview;
    const chosenFields = upload.fields;
    if (content !== null)
      void upload.start({ content, order, choice, corrections, chosenFields, fields, freshDays });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = way === 'file' ? upload.file === null : splitSerials(upload.text).length === 0;
    const missing = way === 'file' ? 'noFile' : 'noText';
    setProblem(isEmpty ? missing : null);
    if (isEmpty) return;
    if (expected && hasFewSerials(expected)) setAsking(true);
    else send();
  };
  const error = problem === null ? upload.error : problems[problem]();
  return (
    <>
      <PageHeader title={m.common_menu_upload()} subtitle={m.data_upload_subtitle()} />
      {!isReady && <PanelSkeleton height={360} />}
      {/* The parts that are read would move the others if they came after them. */}
      <div className={layout.stack} hidden={!isReady}>
        <DeleteFirst hasData={former?.hasData === true} />
        <InactiveNotice />
        <div className={former?.isFirst ? layout.mainAndAside : layout.stack}>
          <Panel title={way === 'file' ? m.data_upload_title() : m.data_paste_title()}>
            <div className={layout.stack}>
              <form id={formId} className={layout.stack} onSubmit={submit}>
                {error !== null && (
                  <Outcome tone="error">
                    <Lines text={error} />
                    {problem === null && <RefusedCells cells={upload.invalidCells} />}
                  </Outcome>
                )}
                {answer !== null && <ImportResult answer={answer} />}
                <ReadState read={orders}>
                  {() =>
                    options.length > 0 && (
                      <OrderField
                        order={order}
                        options={options}
                        read={ticketRead}
                        disabled={isLocked}
                        onOrder={upload.setOrder}
                      />
                    )
                  }
                </ReadState>
                <Tabs label={m.data_upload_ways()} tabs={listWays()} value={way} onChange={changeWay}>
                  {/* Hidden, it still takes a file that is dropped. */}
                  <div hidden={way !== 'file'}>
                    <FileDrop
                      label={m.data_upload_drop_area()}
                      accept=".xlsx,.xls"
                      prompt={m.data_upload_drop()}
                      hint={m.data_upload_accepts()}
                      file={upload.file}
                      onFile={choose}
                      disabled={isLocked}
                    />
                  </div>
                  {way === 'text' && (
                    <PasteField text={upload.text} onText={changeText} disabled={isLocked} />
                  )}
                </Tabs>
              </form>
              <Switch
                label={m.preview_switch()}
                checked={isPreviewOn}
                disabled={isLocked}
                onChange={({ target }) => previewSwitch.set(target.checked)}
              />
              {/* A refusal of the upload itself says the same. */}
              {preview.isOn && (preview.refusal === null || error === null) && (
                <PreviewPanel
                  preview={preview}
                  choice={upload.choice}
                  onChoose={upload.setChoice}
                  typed={upload.typed}
                  onType={(typed) => upload.correct(typed, preview.readChoice)}
                  onMap={upload.setFields}
                  choices={choices}
                  onReuse={(days) => upload.setFreshDays(String(days ?? ''))}
                  priceOf={priceOf}
                  order={order === '' ? undefined : ticket}
                />
              )}
              <div className={styles.freshField}>
                <FreshField
                  form={formId}
                  days={upload.freshDays}
                  onDays={upload.setFreshDays}
                  disabled={isLocked}
                />
              </div>
              {answer === null && <BudgetNotice />}
              <UploadBar
                upload={upload}
                form={formId}
                // Until the orders are known the sheet could become a ticket of another price, and until its preview is
                // read another column could be meant.
                disabled={orders.data === undefined || orders.isError || (preview.isOn && preview.isAwaited)}
                meaning={expected && price ? describeMeaning(expected.valid, price.discounted) : undefined}
              />
            </div>
          </Panel>
          <HowItWorks folded={former?.isFirst === false} />
        </div>
      </div>
      {isAsking && expected && settled && (
        <FewSerialsQuestion
          expected={expected}
          column={settled.column}
          onUpload={send}
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

/**
 * Returns whether the company uploads for the first time, and whether it has data of former tickets; undefined until that
 * is read. It stays as it was when the page was opened, so that an upload moves nothing.
 */
function useFormerTickets(): { isFirst: boolean; hasData: boolean } | undefined {
  const { data, isPending } = useQuery(findTicketsQuery());
  const filled = data?.filter(({ kind }) => kind !== 'order');
  const isGone = (found: TicketMatch) => found.serial_deleted && found.coverage_deleted;
  // Without an answer, the page is as for most uploads.
  const former = { isFirst: filled?.length === 0, hasData: filled?.every(isGone) !== true };
  return useFirst(isPending ? undefined : former);
}

/**
 * Opens the ticket after a delay, but not if the result is older than the page: the user came back to read it. First the
 * page's downloads end, because leaving would cancel them.
 */
function useFollow(answer: ImportAnswer | null, follow: (ticket: string) => void): void {
  const initialAnswer = useRef(answer);
  const latest = useRef(follow);
  const unlessLeaving = useUnlessLeaving();
  const isDownloading = useDownloads().length > 0;
  latest.current = follow;
  useEffect(() => {
    if (answer === null || answer === initialAnswer.current || isDownloading) return undefined;
    const timer = setTimeout(
      () => unlessLeaving(() => latest.current(answer.ticket.ticket_number)),
      redirectMs,
    );
    return () => clearTimeout(timer);
  }, [answer, isDownloading, unlessLeaving]);
}
