import { useSyncExternalStore } from 'react';
import { m } from '#shared/texts/messages.js';
import { Banner } from '#web/ui/feedback/banner.tsx';
import './offline-notice.css';

function follow(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Says that the browser has no network: what stands on screen may be old, and nothing can be saved. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(follow, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <div role="alert" className="offline-notice">
      <Banner tone="warning">{m.common_offline()}</Banner>
    </div>
  );
}
