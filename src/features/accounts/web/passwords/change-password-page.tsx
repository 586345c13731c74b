import { Button } from '@mantine/core';
import { type MouseEvent, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { changePassword } from '#features/accounts/accounts.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';
import { followLink } from '#web/address/signed-out-location.ts';
import { call } from '#web/client/api-client.ts';
import { endSession, startSession, useUser } from '#web/client/session.ts';
import { useSubmit } from '#web/client/submit.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { sendReplacingToken } from '../send-replacing-token.ts';
import { PasswordChecklist } from './password-checklist.tsx';
import { PasswordField } from './password-field.tsx';
import { findChangeProblem, usePasswordRules } from './password-rules.ts';

const redirectMs = 2000;

/** The form that asks for a link is for signed-out users, so the session ends on the way to it. */
function leaveForLink(event: MouseEvent<HTMLAnchorElement>): void {
  followLink(event);
  if (event.defaultPrevented) endSession();
}

/** Change Password: required for new users, who cannot cancel. */
export function ChangePasswordPage() {
  const user = useUser();
  const navigate = useNavigate();
  const unlessLeaving = useUnlessLeaving();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [confirm, setConfirm] = useState('');
  const [successMessage, setSuccessMessage] = useState<string | null>(null);
  const rules = usePasswordRules(next, confirm, current);

  useEffect(() => {
    if (successMessage === null || user.newUser) return undefined;
    const timer = setTimeout(() => unlessLeaving(() => navigate(paths.home)), redirectMs);
    return () => clearTimeout(timer);
  }, [successMessage, navigate, user.newUser, unlessLeaving]);

  const { busy, error, submit } = useSubmit({
    check: () => findChangeProblem(current, next, confirm),
    send: async () => {
      const body = { currentPassword: current, newPassword: next };
      const { message, token } = await sendReplacingToken(m.account_change_unanswered, () =>
        call<typeof changePassword>('POST /auth/change-password', { body }),
      );
      if (token !== undefined) startSession(token);
      setSuccessMessage(message);
    },
    fallback: m.account_change_failed(),
  });

  return (
    <div className={`${layout.stack} ${layout.formWidth}`}>
      <PageHeader title={m.account_change_title()} subtitle={m.account_change_text()} />
      {user.newUser && <Banner tone="info">{m.account_new_user_notice()}</Banner>}
      <form className={`${panels.panel} ${panels.panelBody} ${layout.stack}`} onSubmit={submit}>
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        {successMessage !== null && <Outcome tone="success">{successMessage}</Outcome>}
        {successMessage === null && (
          <>
            <PasswordField
              label={m.account_current_password()}
              autoComplete="current-password"
              value={current}
              onChange={setCurrent}
            />
            <PasswordField
              label={m.account_new_password()}
              autoComplete="new-password"
              value={next}
              onChange={setNext}
              rules={rules}
            />
            <PasswordField
              label={m.account_confirm_new_password()}
              autoComplete="new-password"
              value={confirm}
              onChange={setConfirm}
            />
            <PasswordChecklist rules={rules} />
            <div className={layout.row}>
              <Button type="submit" disabled={busy}>
                {busy ? m.account_changing() : m.account_change()}
              </Button>
              {!user.newUser && (
                <Button variant="default" onClick={() => navigate(paths.home)}>
                  {m.common_cancel()}
                </Button>
              )}
            </div>
            {!user.newUser && (
              <>
                <p className={typography.dim}>
                  {m.account_forgot_current()}{' '}
                  <a href={paths.forgotPassword} onClick={leaveForLink}>
                    {m.account_reset_link()}
                  </a>
                </p>
                <p className={typography.dim}>
                  {m.account_change_keeps_tokens()} <Link to={paths.tokens}>{m.tokens_title()}</Link>
                </p>
              </>
            )}
          </>
        )}
      </form>
    </div>
  );
}
