import { readStored, writeStored } from '#web/preferences/stored.ts';

const checkMs = 3000;

async function isServerBack(): Promise<boolean> {
  const check = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(checkMs) } as const;
  return fetch('/', check).then(
    ({ ok }) => ok,
    () => false,
  );
}

const reloadedKey = 'coverdesk.reloaded';
/** A page whose code stays broken must not reload without end. */
const betweenReloadsMs = 300_000;

/** Reloads the page, unless this tab did so in the last minutes or cannot note that it does. */
function reloadOnce(): void {
  const now = Date.now();
  if (now - Number(readStored(reloadedKey, 'sessionStorage')) < betweenReloadsMs) return;
  writeStored(reloadedKey, String(now), 'sessionStorage');
  if (readStored(reloadedKey, 'sessionStorage') !== null) location.reload();
}

/**
 * Reloads the page once the server answers again, because browsers do not fetch a module again whose fetch has failed. If it
 * answers at once, the failure was short, or stays: the page is reloaded one time.
 * @returns a function that ends the wait
 */
export function reloadWhenBack(): () => void {
  let hasFailed = false;
  const check = async () => {
    const isBack = await isServerBack();
    if (isBack) {
      clearInterval(timer);
      if (hasFailed) location.reload();
      else reloadOnce();
    }
    hasFailed ||= !isBack;
  };
  const timer = setInterval(check, checkMs);
  void check();
  return () => clearInterval(timer);
}
