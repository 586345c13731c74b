const checkMs = 3000;

async function isServerBack(): Promise<boolean> {
  const check = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(checkMs) } as const;
  return fetch('/', check).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Reloads the page once the server answers again, if it does not answer now: browsers do not fetch a module again whose
 * fetch has failed.
 * @returns a function that ends the wait
 */
export function reloadWhenBack(): () => void {
  let hasFailed = false;
  const check = async () => {
    const isBack = await isServerBack();
    if (isBack && hasFailed) location.reload();
    hasFailed ||= !isBack;
    if (isBack) clearInterval(timer);
  };
  const timer = setInterval(check, checkMs);
  void check();
  return () => clearInterval(timer);
}
