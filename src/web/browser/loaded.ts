import { useEffect, useState } from 'react';

/**
 * A module that is loaded on demand. Use its exports only through `useLoaded`: after a failure it may be fetched from
 * another address.
 */
type LoadedModule = { default: unknown };

/**
 * Fetches a module on demand and returns it, or the error. A Suspense boundary would delay it by 300 ms and unmount the
 * page on a failure.
 * @param load declared outside the component
 * @param isShared whether other files import the module: by another address it would be a second one, so that only a reload
 * helps after a failure
 */
export function useLoaded<T extends LoadedModule>(
  load: () => Promise<T>,
  { enabled = true, isShared = false } = {},
): { loaded: T | undefined; failure: unknown } {
  const [loaded, setLoaded] = useState<{ module: T }>();
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (!enabled || loaded) return;
    setFailure(null);
    (isShared ? load() : loadOrAgain(load)).then((module) => setLoaded({ module }), setFailure);
  }, [load, enabled, isShared, loaded]);
  return { loaded: loaded?.module, failure };
}

/** The retry address of each module that could not be fetched, by its loading function. */
const addresses = new WeakMap<() => Promise<unknown>, string>();

/**
 * Loads a module. Browsers remember a failed fetch of a module, so a retry uses another address. If the browser's error
 * does not contain the address, only a reload helps.
 */
async function loadOrAgain<T extends LoadedModule>(load: () => Promise<T>): Promise<T> {
  const address = addresses.get(load);
  try {
    return await (address === undefined ? load() : import(/* @vite-ignore */ address));
  } catch (error) {
    const [failedUrl] = /https?:\/\/[^\s?]+\.js/.exec(String(error)) ?? [];
    if (failedUrl) addresses.set(load, `${failedUrl}?again=${Date.now()}`);
    throw error;
  }
}
