/** True while the browser would still ask whether notifications are welcome. */
export function canAskToNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'default';
}

/** Asks; only ever because somebody pressed a button for it. */
export async function askToNotify(): Promise<void> {
  await Notification.requestPermission();
}

/** True once notifications are welcome. */
export function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

/** Tells something outside the page, to people who allowed it: they may be looking at another window. */
export function notify(text: string): void {
  if (mayNotify()) new Notification('Coverdesk', { body: text, icon: '/favicon.svg' });
}
