import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { SecretDialog } from '#web/ui/overlay/secret-dialog.tsx';
import { TokenCreateDialog } from './token-create-dialog.tsx';
import { TokenList } from './token-list.tsx';
import { tokenPage } from './tokens.api.ts';

/** API tokens: keys by which the user's programs call the API. */
export function Component() {
  const [isCreating, setCreating] = useState(false);
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
      <div className="stack">
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
          <p className="dim">{m.tokens_secret_use()}</p>
          <code className="code">Authorization: Bearer {secret.slice(0, 8)}…</code>
        </SecretDialog>
      )}
    </>
  );
}

/** Where those who write programs go on: the command line and the description of the API. */
function ProgramLinks() {
  return (
    <Panel title={m.tokens_programs()}>
      <ul className="stack tight">
        <li>
          <a href="/api/cli/coverdesk.mjs" download>
            {m.tokens_command_line()}
          </a>{' '}
          <span className="dim">{m.tokens_command_line_hint()}</span>{' '}
          <code className="code unbroken">node coverdesk.mjs --help</code>
        </li>
        <li>
          <a href="/api/docs/">{m.tokens_api()}</a> <span className="dim">{m.tokens_api_hint()}</span>
        </li>
      </ul>
    </Panel>
  );
}
