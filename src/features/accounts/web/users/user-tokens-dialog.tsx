import { Button } from '@mantine/core';
import type { UserEntry } from '#features/accounts/users.contract.ts';
import { m } from '#shared/texts/messages.js';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { TokenList } from '../tokens/token-list.tsx';
import { wholeName } from './role-names.ts';

/** The API tokens of a user, for administrators. */
export function UserTokensDialog({ user, onClose }: { user: UserEntry; onClose: () => void }) {
  return (
    <Dialog
      title={m.tokens_of_user({ name: wholeName(user) })}
      width="wide"
      onClose={onClose}
      footer={
        <Button variant="default" onClick={onClose}>
          {m.common_close()}
        </Button>
      }
    >
      <TokenList userId={user._id} />
    </Dialog>
  );
}
