import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { createUser } from '#features/accounts/accounts.contract.ts';
import { useCreateCompany } from '#features/clients/web/clients.api.ts';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { useRequiredCompany } from '#features/clients/web/use-required-company.view.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { PasswordField } from './passwords/password-field.tsx';

const bannerMs = 3000;
const empty = { name: '', email: '', password: '', superadmin: '0' as '0' | '1', company_code: '' };

/** Register User: the new user signs in with the password given here and must change it. */
export function RegisterPage() {
  const form = useForm({ initialValues: empty });
  /** The name of a client that is created with its first user; null for an existing client. */
  const [newClient, setNewClient] = useState<string | null>(null);
  const queries = useQueryClient();
  const createCompany = useCreateCompany();
  const element = useRef<HTMLFormElement>(null);
  const [successMessage, setSuccessMessage] = useState<string | null>(null);

  useEffect(() => {
    if (successMessage === null) return undefined;
    const timer = setTimeout(() => setSuccessMessage(null), bannerMs);
    return () => clearTimeout(timer);
  }, [successMessage]);

  const { busy, error, submit } = useSubmit({
    form,
    send: async () => {
      setSuccessMessage(null);
      const code = newClient === null ? form.values.company_code : await addClient(newClient);
      const body = { ...form.values, company_code: code };
      setSuccessMessage((await call<typeof createUser>('POST /auth/register', { body })).message);
      form.reset();
      // Else the browser would mark the emptied fields as wrong.
      element.current?.reset();
    },
    fallback: m.account_register_failed(),
  });
  /** Creates the client and chooses it, so that a refused user does not create it twice. */
  const addClient = async (name: string) => {
    const { company_name: saved, company_code: code } = (await createCompany({ company_name: name })).client;
    toast.success(m.clients_created({ name: saved, code }));
    setNewClient(null);
    form.setFieldValue('company_code', code);
    await queries.invalidateQueries({ queryKey: ['clients'] });
    return code;
  };
  const isCompanyMissing = form.values.company_code === '' && newClient === null;
  const required = useRequiredCompany(isCompanyMissing, submit);

  return (
    <div className={layout.formWidth}>
      <PageHeader title={m.account_register_title()} subtitle={m.account_register_text()} />
      <form
        ref={element}
        className={`${panels.panel} ${panels.panelBody} ${layout.stack}`}
        {...required.form}
      >
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        {successMessage !== null && <Outcome tone="success">{successMessage}</Outcome>}
        <TextInput
          label={m.account_register_name()}
          autoComplete="off"
          required
          minLength={3}
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={m.account_register_email()}
          type="email"
          autoComplete="off"
          required
          maxLength={254}
          {...form.getInputProps('email')}
        />
        <PasswordField
          label={m.account_register_password()}
          autoComplete="new-password"
          minLength={8}
          hint={m.account_register_password_hint()}
          {...form.getInputProps('password')}
        />
        {newClient === null ? (
          <CompanySelect
            label={m.account_register_company()}
            placeholder={m.account_register_company_placeholder()}
            {...form.getInputProps('company_code')}
            {...required.field}
            error={required.field.error ?? form.errors.company_code}
          />
        ) : (
          <TextInput
            label={m.clients_company_name()}
            description={m.clients_code_hint()}
            autoComplete="off"
            autoFocus
            required
            maxLength={200}
            value={newClient}
            onChange={(event) => setNewClient(event.target.value)}
          />
        )}
        <div>
          <Button
            variant="default"
            disabled={busy}
            onClick={() => setNewClient(newClient === null ? '' : null)}
          >
            {newClient === null ? m.account_register_new_client() : m.account_register_known_client()}
          </Button>
        </div>
        <NativeSelect
          label={m.account_register_role()}
          data={[
            { value: '0', label: m.account_register_regular() },
            { value: '1', label: m.account_register_superadmin() },
          ]}
          {...form.getInputProps('superadmin')}
        />
        <div className={layout.row}>
          <Button type="submit" disabled={busy}>
            {busy ? m.account_register_busy() : m.account_register_submit()}
          </Button>
        </div>
      </form>
    </div>
  );
}
