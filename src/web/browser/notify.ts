import { readStored, writeStored } from '#web/preferences/stored.ts';

const notifiedKey = 'coverdesk.told';
/** The number of remembered ids. Other tabs learn of the same event within one poll. */
const maxIds = 20;

function permission(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied';
}

export function canAskToNotify(): boolean {
  if (permission() !== 'default') return false;
  try {
    // Shows nothing without permission. Chrome on Android takes notifications from service workers alone: it throws.
    new Notification('');
    return true;
  } catch {
    return false;
  }
}

/** Asks for permission. Call it only after the user pressed a button for it. */
export async function askToNotify(): Promise<void> {
  await Notification.requestPermission();
}

export function mayNotify(): boolean {
  return permission() === 'granted';
}

/**
 * Shows a notification of the system, if the user allowed it. Without support it does nothing: the page shows the text too.
 * @param id names the event; only one tab shows it
 */
export async function notify(text: string, id: string): Promise<void> {
  if (!mayNotify()) return;
  await navigator.locks.request(notifiedKey, () => {
    const ids = readStored(notifiedKey)?.split(',') ?? [];
    if (ids.includes(id)) return;
    writeStored(notifiedKey, [...ids, id].slice(-maxIds).join(','));
    try {
      new Notification('Coverdesk', { body: text, icon: '/favicon.svg' });
    } catch {
      // Chrome on Android, as above.
    }
  });
}
