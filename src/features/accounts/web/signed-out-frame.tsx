import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import { Preferences } from '#web/preferences/preferences.tsx';
import { Brand } from '#web/shell/navigation/brand.tsx';
import { OutdatedNotice } from '#web/shell/outdated-notice.tsx';
import './signed-out-frame.css';

type Props = { title: string; subtitle: string; children: ReactNode };

/** Product description and form side by side on wide screens; on narrow ones the brand above the form. */
export function SignedOutFrame({ title, subtitle, children }: Props) {
  return (
    <div className="signed-out">
      <title>{`${title} · Coverdesk`}</title>
      <aside className="signed-out-side">
        <Brand />
        <p className="signed-out-claim">{m.account_claim()}</p>
      </aside>
      <div className="signed-out-main">
        <header className="signed-out-top">
          <Brand />
          <Preferences />
        </header>
        <main className="signed-out-form">
          <OutdatedNotice />
          <h1>{title}</h1>
          {subtitle !== '' && <p className="dim">{subtitle}</p>}
          {children}
        </main>
      </div>
    </div>
  );
}
