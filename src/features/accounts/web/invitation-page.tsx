import { useState } from 'react';
import type { acceptInvitation, verifyInvitation } from '#features/accounts/invitations.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { followLink } from '#web/address/signed-out-location.ts';
import { call } from '#web/client/api-client.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { MayBeSet } from './passwords/may-be-set.tsx';
import { NewPasswordForm } from './passwords/new-password-form.tsx';
import { Checking, LinkProblem, SignedOutFrame, useCheckedLink } from './signed-out-frame.tsx';

/** Chooses the first password by the link of an invitation: the link is checked first. */
export default function InvitationPage({ token }: { token: string }) {
  const [successMessage, setSuccessMessage] = useState<string | null>(null);
  const { answer: invited, problem } = useCheckedLink(token, m.account_invitation_invalid(), async () => {
    const input = { params: { token } };
    const found = await call<typeof verifyInvitation>('GET /auth/verify-invitation/{token}', input);
    return found.valid ? found : null;
  });
  const isOpen = invited !== null && successMessage === null;

  return (
    <SignedOutFrame
      title={m.account_invitation_title()}
      subtitle={isOpen ? welcome(invited) : ''}
      onBack={followLink}
    >
      {invited === null && problem === null && <Checking text={m.account_invitation_verifying()} />}
      {problem !== null && (
        <div className={layout.stack}>
          <LinkProblem {...problem} />
          {problem.onRetry === undefined && <MayBeSet />}
        </div>
      )}
      {isOpen && (
        <NewPasswordForm
          label={m.account_register_password()}
          action={m.account_invitation_accept()}
          busyAction={m.account_invitation_accepting()}
          fallback={m.account_invitation_failed()}
          send={async (password) => {
            const { message } = await call<typeof acceptInvitation>('POST /invitations/accept', {
              body: { token, password },
            });
            setSuccessMessage(message);
          }}
        />
      )}
      {successMessage !== null && <Banner tone="success">{successMessage}</Banner>}
    </SignedOutFrame>
  );
}

/** Says who invites whom into which company. */
function welcome({ email, company_name, inviter }: Answer<typeof verifyInvitation>): string {
  const names = { email: email ?? '', company: company_name ?? '' };
  return inviter === null
    ? m.account_invitation_text(names)
    : m.account_invitation_from({ ...names, inviter });
}
