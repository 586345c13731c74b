import { type MouseEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { describeFailure, isMissing } from '#web/client/failure.ts';
import { Preferences } from '#web/preferences/preferences.tsx';
import { Brand } from '#web/shell/navigation/brand.tsx';
import { OutdatedNotice } from '#web/shell/outdated-notice.tsx';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { RetryButton } from '#web/ui/feedback/error-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import styles from './signed-out-frame.module.css';

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
    <div className={styles.signedOut}>
      <title>{`${title} · Coverdesk`}</title>
      <aside className={styles.signedOutSide}>
        <Brand />
        <p className={styles.signedOutClaim}>{m.account_claim()}</p>
      </aside>
      <div className={styles.signedOutMain}>
        <header className={styles.signedOutTop}>
          <Brand className={styles.brand} />
          <Preferences className={styles.preferences} />
        </header>
        <main id="content" tabIndex={-1} className={styles.signedOutForm}>
          <OutdatedNotice />
          <h1>{title}</h1>
          {subtitle !== '' && <p className={`${typography.dim} ${styles.subtitle}`}>{subtitle}</p>}
          {children}
          {onBack && (
            <p className={styles.signedOutBack}>
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

/** A message and placeholders while a page waits for a check by the server. */
export function Checking({ text }: { text: string }) {
  return (
    <div className={layout.stack}>
      <p role="status">{text}</p>
      <Skeleton height={36} count={2} />
    </div>
  );
}

/** Why a link cannot be used. */
type Problem = { text: string; onRetry?: () => void };

/**
 * Checks the link of a mail.
 * @param check answers the purpose of the link; null for a link that is not valid
 * @returns the answer, or why the link cannot be used; neither while it is checked
 */
export function useCheckedLink<T>(token: string, invalid: string, check: () => Promise<T | null>) {
  /** Null for a link that is not valid, undefined while it is checked. */
  const [answer, setAnswer] = useState<T | null | undefined>(token === '' ? null : undefined);
  const [failure, setFailure] = useState<unknown>(null);
  const start = async () => {
    setFailure(null);
    await check().then(setAnswer, setFailure);
  };
  const startNow = useEffectEvent(start);
  useEffect(() => {
    if (token !== '') void startNow();
  }, [token]);

  let problem: Problem | null = null;
  if (answer === null) problem = { text: invalid };
  if (failure !== null) {
    const text = describeFailure(failure, m.common_part_failed());
    problem = isMissing(failure) ? { text } : { text, onRetry: () => void start() };
  }
  return { answer: answer ?? null, problem };
}

export function LinkProblem({ text, onRetry }: Problem) {
  const retry = onRetry && <RetryButton size="compact-sm" onRetry={onRetry} />;
  return (
    <Banner tone="error" action={retry}>
      {text}
    </Banner>
  );
}
