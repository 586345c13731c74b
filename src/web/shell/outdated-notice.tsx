import { useNetwork } from '@mantine/hooks';
import { m } from '#shared/texts/messages.js';
import { Banner } from '#web/ui/feedback/banner.tsx';
import styles from './outdated-notice.module.css';

/** Says that the screen may be out of date: the browser has no network, or the server does not answer. */
export function OutdatedNotice({ unanswered = false }: { unanswered?: boolean }) {
  const { online } = useNetwork();
  if (online && !unanswered) return null;
  return (
    <div role="alert" className={styles.outdated}>
      <Banner tone="warning">{online ? m.common_unanswered() : m.common_offline()}</Banner>
    </div>
  );
}
