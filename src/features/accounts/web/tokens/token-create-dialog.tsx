import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { createToken, TokenScope } from '#features/accounts/tokens.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';

const dayMs = 24 * 60 * 60 * 1000;

const lifetimes = () => [
  { value: '30', label: m.tokens_days({ days: 30 }) },
  { value: '90', label: m.tokens_days({ days: 90 }) },
  { value: '365', label: m.tokens_days({ days: 365 }) },
  { value: '', label: m.tokens_never() },
];

type Props = { onClose: () => void; onCreated: (secret: string) => void };

export function TokenCreateDialog({ onClose, onCreated }: Props) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<TokenScope>('read');
  const [days, setDays] = useState('90');
  const create = async () => {
    const expires = days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString();
    const body = { name, scope, expires_at: expires };
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
      onSubmit={create}
      onClose={onClose}
    >
      <TextInput
        label={m.tokens_name()}
        description={m.tokens_name_hint()}
        autoComplete="off"
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <NativeSelect
        label={m.tokens_scope()}
        value={scope}
        data={[
          { value: 'read', label: m.tokens_scope_read() },
          { value: 'write', label: m.tokens_scope_write() },
        ]}
        onChange={({ target }) => setScope(target.value as TokenScope)}
      />
      <NativeSelect
        label={m.tokens_expires()}
        value={days}
        data={lifetimes()}
        onChange={({ target }) => setDays(target.value)}
      />
    </FormDialog>
  );
}
