import { readStored, writeStored } from '#web/preferences/stored.ts';

const toldKey = 'coverdesk.told';
/** Other tabs hear of the same within a poll. */
const keptIds = 20;

/** Whether notifications are allowed, refused or still to be asked for. */
function permission(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied';
}

/** True while the browser would still ask whether notifications are welcome. */
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

/** Asks; only ever because somebody pressed a button for it. */
export async function askToNotify(): Promise<void> {
  await Notification.requestPermission();
}

/** True once notifications are welcome. */
export function mayNotify(): boolean {
  return permission() === 'granted';
}

/**
 * Tells something outside the page, to people who allowed it: they may be looking at another window. Where the browser
 * cannot, nothing happens: the page tells it, too.
 * @param id names what happened; of all tabs that hear of it one tells it
 */
export async function notify(text: string, id: string): Promise<void> {
  if (!mayNotify()) return;
  await navigator.locks.request(toldKey, () => {
    const told = readStored(toldKey)?.split(',') ?? [];
    if (told.includes(id)) return;
    writeStored(toldKey, [...told, id].slice(-keptIds).join(','));
    try {
      new Notification('Coverdesk', { body: text, icon: '/favicon.svg' });
    } catch {
      // Chrome on Android, as above.
    }
  });
}
