import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { deleteSecondFactor, readSecondFactor } from '#features/accounts/second-factor.contract.ts';
import { m } from '#shared/texts/messages.js';
import { saveFile } from '#web/browser/save-file.ts';
import { call } from '#web/client/api-client.ts';
import { read } from '#web/client/read.ts';
import { startSession, useUser } from '#web/client/session.ts';
import { useAnnounceSuccess } from '#web/client/use-act.ts';
import buttons from '#web/styles/buttons.module.css';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { PasswordField } from '../passwords/password-field.tsx';
import { sendReplacingToken } from '../send-replacing-token.ts';
import styles from './second-factor-page.module.css';
import { SecondFactorSetup } from './second-factor-setup.tsx';

/** Second factor: setting up an authenticator app, its recovery codes, and removing it. */
export function SecondFactorPage() {
  const { secondFactorDue } = useUser();
  const queries = useQueryClient();
  const factor = useQuery(read<typeof readSecondFactor>(['second-factor'], 'GET /auth/totp', {}));
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => {
    setCodes(null);
    void queries.invalidateQueries({ queryKey: ['second-factor'] });
  };
  return (
    <div className={`${layout.stack} ${layout.formWidth}`}>
      <PageHeader title={m.common_menu_second_factor()} subtitle={m.account_factor_subtitle()} />
      {secondFactorDue && <Banner tone="info">{m.account_factor_due()}</Banner>}
      {codes !== null ? (
        <Panel title={m.account_recovery_codes()}>
          <div className={layout.stack}>
            <RecoveryCodes codes={codes} onClose={close} />
          </div>
        </Panel>
      ) : (
        <Panel title={m.account_factor_app()}>
          <ReadState read={factor}>
            {(state) => (
              <div className={layout.stack}>
                {state === undefined && <Skeleton height={36} count={2} />}
                {state?.active === false && <SecondFactorSetup onDone={setCodes} />}
                {state?.active === true && (
                  <>
                    <div>
                      <StatusBadge tone="green" mark="check" text={m.account_active()} />
                    </div>
                    <p>{m.account_factor_active({ count: state.recovery_codes })}</p>
                    <div className={layout.row}>
                      <SecondFactorRemoval required={state.required} />
                    </div>
                  </>
                )}
              </div>
            )}
          </ReadState>
        </Panel>
      )}
    </div>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n');
  const list = useRef<HTMLUListElement>(null);
  // The form that had the focus is gone.
  useEffect(() => list.current?.focus(), []);
  return (
    <>
      <Banner tone="warning">{m.account_recovery_once()}</Banner>
      <ul
        ref={list}
        tabIndex={-1}
        className={`${styles.recoveryCodes} ${typography.code}`}
        aria-label={m.account_recovery_codes()}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={layout.row}>
        <CopyButton text={text} label={m.account_recovery_copy()} />
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'coverdesk-recovery-codes.txt')
          }
        >
          {m.account_recovery_download()}
        </Button>
      </div>
      <div className={layout.row}>
        <Button ref={passFocusOn} onClick={onClose}>
          {m.account_recovery_stored()}
        </Button>
      </div>
    </>
  );
}

function SecondFactorRemoval({ required }: { required: boolean }) {
  const announceSuccess = useAnnounceSuccess(['second-factor']);
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const remove = async () => {
    const { message, token } = await sendReplacingToken(m.account_factor_remove_unanswered, () =>
      call<typeof deleteSecondFactor>('DELETE /auth/totp', { body: { password } }),
    );
    // The token of a role that must have one says that it is due.
    startSession(token);
    await announceSuccess(message);
  };
  return (
    <>
      <Button
        variant="default"
        className={buttons.dangerOutline}
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
