import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { deleteSecondFactor } from '#features/accounts/second-factor.contract.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { requireSecondFactor } from '#web/client/session.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { PasswordField } from '../passwords/password-field.tsx';

export function SecondFactorRemoval({ required }: { required: boolean }) {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const remove = async () => {
    const { message } = await call<typeof deleteSecondFactor>('DELETE /auth/totp', { body: { password } });
    if (required) requireSecondFactor();
    toast.success(message);
    await queries.invalidateQueries({ queryKey: ['second-factor'] });
  };
  return (
    <>
      <Button
        variant="default"
        className="danger-outline"
        onClick={() => {
          setPassword('');
          setOpen(true);
        }}
      >
        {m.account_factor_remove()}
      </Button>
      {isOpen && (
        <FormDialog
          title={m.account_factor_remove_title()}
          submitLabel={m.account_factor_remove()}
          busyLabel={m.account_factor_removing()}
          fallback={m.account_factor_remove_failed()}
          onSubmit={remove}
          onClose={() => setOpen(false)}
        >
          <p>{required ? m.account_factor_remove_required() : m.account_factor_remove_text()}</p>
          <PasswordField
            label={m.account_current_password()}
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        </FormDialog>
      )}
    </>
  );
}
