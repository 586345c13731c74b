import type { MouseEvent, ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { Preferences } from '#web/preferences/preferences.tsx';
import { Brand } from '#web/shell/navigation/brand.tsx';
import { OutdatedNotice } from '#web/shell/outdated-notice.tsx';
import './signed-out-frame.css';

type Props = {
  title: string;
  subtitle: string;
  /** Follows the link back to sign-in; without it there is none. */
  onBack?: (event: MouseEvent<HTMLAnchorElement>) => void;
  children: ReactNode;
};

/** Product description and form side by side on wide screens; on narrow ones the brand above the form. */
export function SignedOutFrame({ title, subtitle, onBack, children }: Props) {
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
          {onBack && (
            <p className="signed-out-back">
              <a href={paths.signIn} onClick={onBack}>
                {m.account_back_to_login()}
              </a>
            </p>
          )}
        </main>
      </div>
    </div>
  );
}
