import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { useRequiredCompany } from '#features/clients/web/use-required-company.view.ts';
import type { createTicket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSendOnce } from '#web/client/idempotency-key.ts';
import { useSubmit } from '#web/client/submit.ts';
import { parseWholeNumber } from '#web/format/whole-number.ts';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { WholeNumberField } from '#web/ui/field/whole-number-field.tsx';
import { useFocusBack } from '#web/ui/overlay/move-focus.ts';
import { nameNumbered } from '../name-ticket.view.ts';
import styles from './ticket-create-form.module.css';
import { readCount } from './ticket-input.ts';

const largest = 1_000_000_000;

type Props = {
  onCreated: () => void;
  onClose: () => void;
};

/** Orders an empty ticket for a company; after a success the form is empty again, for the next. Cancel closes it. */
export function TicketCreateForm({ onCreated, onClose }: Props) {
  const [count, setCount] = useState('');
  const [company, setCompany] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const sendOnce = useSendOnce();

  useFocusBack();
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const { busy, error, submit } = useSubmit({
    send: async () => {
      const body = { data_count: parseWholeNumber(count) ?? 0, company_code: company };
      const { ticket } = await sendOnce(body, (idempotencyKey) =>
        call<typeof createTicket>('POST /tickets', { body, idempotencyKey }),
      );
      setCount('');
      setCompany('');
      // Else the browser would mark the emptied fields as wrong.
      form.current?.reset();
      toast.success(m.tickets_created({ ticket: nameNumbered(ticket) }));
      onCreated();
    },
    fallback: m.tickets_create_failed(),
  });
  const required = useRequiredCompany(company === '', submit);

  return (
    <form ref={form} className={layout.stack} {...required.form}>
      {error !== null && <Outcome tone="error">{error}</Outcome>}
      <div className={styles.ticketsCreate}>
        <WholeNumberField
          label={m.tickets_data_count()}
          unit={m.tickets_rows_unit()}
          value={count}
          min={1}
          max={largest}
          onChange={(typed) => setCount(readCount(typed))}
        />
        <CompanySelect
          {...required.field}
          label={m.tickets_company_code()}
          placeholder={m.tickets_code_placeholder()}
          value={company}
          onChange={setCompany}
        />
        <div className={layout.row}>
          <Button type="submit" disabled={busy}>
            {busy ? m.tickets_creating() : m.tickets_create()}
          </Button>
          <Button variant="default" disabled={busy} onClick={onClose}>
            {m.common_cancel()}
          </Button>
        </div>
      </div>
    </form>
  );
}
