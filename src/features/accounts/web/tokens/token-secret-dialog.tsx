import { Button } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import './token-secret-dialog.css';

/** Shows the secret of a new API token, which cannot be read again. */
export function TokenSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={m.tokens_secret_title()}
      onClose={onClose}
      footer={<Button onClick={onClose}>{m.tokens_secret_done()}</Button>}
    >
      <Banner tone="warning">{m.tokens_secret_once()}</Banner>
      <p>
        <code className="token-secret">{secret}</code>
      </p>
      <div className="row">
        <CopyButton text={secret} label={m.tokens_secret_copy()} />
      </div>
      <p className="dim">{m.tokens_secret_use()}</p>
      <code className="token-secret">Authorization: Bearer {secret.slice(0, 8)}…</code>
    </Dialog>
  );
}
