import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { updateCompany } from '#features/clients/clients.contract.ts';
import type { Body } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import { useStoredForm } from '#web/client/use-stored-form.ts';
import layout from '#web/styles/layout.module.css';
import { offerUndo } from '#web/ui/action/undo.ts';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { useFocusBack } from '#web/ui/overlay/move-focus.ts';
import { type Company, useCreateCompany } from './clients.api.ts';

type Settings = Pick<Company, 'company_name' | 'bill_known'>;

const newClient: Settings = { company_name: '', bill_known: true };
const valuesOf = ({ company_name, bill_known }: Settings) => ({ company_name, bill_known });

export function ClientForm({ client, onClose }: { client: Company | undefined; onClose: () => void }) {
  const { form, edited } = useStoredForm({ stored: client ?? newClient, valuesOf });
  const field = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const createCompany = useCreateCompany();

  const element = useRef<HTMLFormElement>(null);
  useFocusBack(element);
  useEffect(() => field.current?.focus(), []);

  const reload = () => queries.invalidateQueries({ queryKey: ['clients'] });

  const save = async () => {
    if (client === undefined) {
      const { company_name: saved, company_code: code } = (await createCompany(form.values)).client;
      toast.success(m.clients_created({ name: saved, code }));
      return;
    }
    if (Object.keys(edited).length === 0) return;
    const { company_name, bill_known } = client;
    const former = {
      ...('company_name' in edited && { company_name }),
      ...('bill_known' in edited && { bill_known }),
    };
    const update = (body: Body<typeof updateCompany>) =>
      call<typeof updateCompany>('PUT /clients/{id}', { params: { id: client._id }, body });
    const saved = (await update(edited)).client;
    toast.success(
      m.clients_updated({ name: saved.company_name }),
      offerUndo(() => update(former), reload),
    );
  };

  const { busy, error, submit } = useSubmit({
    form,
    send: async () => {
      await save();
      await reload();
      onClose();
    },
    fallback: client === undefined ? m.clients_create_failed() : m.clients_update_failed(),
  });

  const create = busy ? m.clients_creating() : m.clients_create();
  const update = busy ? m.clients_updating() : m.clients_update();
  return (
    <Panel title={client === undefined ? m.clients_form_create() : m.clients_form_update()}>
      <form ref={element} className={layout.stack} onSubmit={submit}>
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        <TextInput
          ref={field}
          label={m.clients_company_name()}
          description={
            client === undefined ? m.clients_code_hint() : m.clients_code_fixed({ code: client.company_code })
          }
          required
          maxLength={200}
          maw={520}
          {...form.getInputProps('company_name')}
        />
        <Checkbox
          label={m.clients_bill_known()}
          description={m.clients_bill_known_hint()}
          {...form.getInputProps('bill_known', { type: 'checkbox' })}
        />
        <div className={layout.row}>
          <Button type="submit" disabled={busy}>
            {client === undefined ? create : update}
          </Button>
          <Button variant="default" disabled={busy} onClick={onClose}>
            {m.common_cancel()}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
