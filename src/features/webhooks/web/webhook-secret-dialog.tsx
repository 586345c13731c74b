import { m } from '#shared/texts/messages.js';
import typography from '#web/styles/typography.module.css';
import { SecretDialog } from '#web/ui/overlay/secret-dialog.tsx';

export function WebhookSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      title={m.webhooks_secret_title()}
      warning={m.webhooks_secret_once()}
      secret={secret}
      copyLabel={m.webhooks_secret_copy()}
      onClose={onClose}
    >
      <p className={typography.dim}>{m.webhooks_secret_use()}</p>
    </SecretDialog>
  );
}
