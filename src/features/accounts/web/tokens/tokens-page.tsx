import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { createToken, TokenScope } from '#features/accounts/tokens.contract.ts';
import { m } from '#shared/texts/messages.js';
import { useCreateForm } from '#web/address/create-form.ts';
import { call } from '#web/client/api-client.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { SecretDialog } from '#web/ui/overlay/secret-dialog.tsx';
import { TokenList } from './token-list.tsx';
import { tokenPage } from './tokens.api.ts';

/** API tokens: keys by which the user's programs call the API. */
export function TokensPage() {
  const [isCreating, setCreating] = useCreateForm();
  const { isPending } = useQuery(tokenPage(1, 10));
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <PageHeader
        title={m.tokens_title()}
        subtitle={m.tokens_subtitle()}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
            {m.tokens_create()}
          </Button>
        }
      />
      <div className={layout.stack}>
        <TokenList />
        {/* The tokens would move it. */}
        {!isPending && <ProgramLinks />}
      </div>
      {isCreating && <TokenCreateDialog onClose={() => setCreating(false)} onCreated={setSecret} />}
      {secret !== null && (
        <SecretDialog
          title={m.tokens_secret_title()}
          warning={m.tokens_secret_once()}
          secret={secret}
          copyLabel={m.tokens_secret_copy()}
          onClose={() => setSecret(null)}
        >
          <p className={typography.dim}>{m.tokens_secret_use()}</p>
          <code className={typography.code}>Authorization: Bearer {secret.slice(0, 8)}…</code>
        </SecretDialog>
      )}
    </>
  );
}

/** Links for programmers: the command line and the description of the API. */
function ProgramLinks() {
  return (
    <Panel title={m.tokens_programs()}>
      <ul className={layout.tightStack}>
        <li>
          <a href="/api/cli/coverdesk.mjs" download>
            {m.tokens_command_line()}
          </a>{' '}
          <span className={typography.dim}>{m.tokens_command_line_hint()}</span>{' '}
          <code className={typography.unbrokenCode}>node coverdesk.mjs --help</code>
        </li>
        <li>
          <a href="/api/docs/">{m.tokens_api()}</a>{' '}
          <span className={typography.dim}>{m.tokens_api_hint()}</span>
        </li>
      </ul>
    </Panel>
  );
}

const dayMs = 24 * 60 * 60 * 1000;

const lifetimes = () => [
  { value: '30', label: m.tokens_days({ days: 30 }) },
  { value: '90', label: m.tokens_days({ days: 90 }) },
  { value: '365', label: m.tokens_days({ days: 365 }) },
  { value: '', label: m.tokens_never() },
];

type Props = { onClose: () => void; onCreated: (secret: string) => void };

function TokenCreateDialog({ onClose, onCreated }: Props) {
  const queries = useQueryClient();
  const form = useForm<{ name: string; scope: TokenScope; expires_at: string }>({
    // The end as a number of days from now; empty for none.
    initialValues: { name: '', scope: 'read', expires_at: '90' },
  });
  const create = async () => {
    const { expires_at: days } = form.values;
    const end = days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();
    const body = { ...form.values, expires_at: end };
    const { token } = await call<typeof createToken>('POST /tokens', { body });
    onCreated(token);
    await queries.invalidateQueries({ queryKey: ['tokens'] });
  };
  return (
    <FormDialog
      title={m.tokens_create_title()}
      submitLabel={m.tokens_create()}
      busyLabel={m.tokens_creating()}
      fallback={m.tokens_create_failed()}
      form={form}
      onSubmit={create}
      onClose={onClose}
    >
      <TextInput
        label={m.tokens_name()}
        description={m.tokens_name_hint()}
        autoComplete="off"
        required
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={m.tokens_scope()}
        data={[
          { value: 'read', label: m.tokens_scope_read() },
          { value: 'write', label: m.tokens_scope_write() },
        ]}
        {...form.getInputProps('scope')}
      />
      <NativeSelect label={m.tokens_expires()} data={lifetimes()} {...form.getInputProps('expires_at')} />
    </FormDialog>
  );
}
