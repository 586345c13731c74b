import { useNetwork } from '@mantine/hooks';
import { m } from '#shared/texts/messages.js';
import { Banner } from '#web/ui/feedback/banner.tsx';
import '#web/ui/feedback/read-state.css';

/** Says that the browser has no network: what stands on screen may be old, and nothing can be saved. */
export function OfflineNotice() {
  if (useNetwork().online) return null;
  return (
    <div role="alert" className="read-notice">
      <Banner tone="warning">{m.common_offline()}</Banner>
    </div>
  );
}
