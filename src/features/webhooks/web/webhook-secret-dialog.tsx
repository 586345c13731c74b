import { Button } from '@mantine/core';
import { m } from '#shared/texts/messages.js';
import { CopyButton } from '#web/ui/action/copy-button.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import './webhooks.css';

/** Shows the secret of a new webhook, which cannot be read again. */
export function WebhookSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={m.webhooks_secret_title()}
      onClose={onClose}
      footer={<Button onClick={onClose}>{m.webhooks_secret_done()}</Button>}
    >
      <Banner tone="warning">{m.webhooks_secret_once()}</Banner>
      <p>
        <code className="webhook-text">{secret}</code>
      </p>
      <div className="row">
        <CopyButton text={secret} label={m.webhooks_secret_copy()} />
      </div>
      <p className="dim">{m.webhooks_secret_use()}</p>
    </Dialog>
  );
}
