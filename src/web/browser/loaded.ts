import { useEffect, useState } from 'react';

/**
 * Loads code on demand and returns it, or the error. A Suspense boundary would delay it by 300 ms and unmount the page on
 * a failure.
 * @param load declared outside the component
 */
export function useLoaded<T>(
  load: () => Promise<T>,
  wanted = true,
): { loaded: T | undefined; failure: unknown } {
  const [loaded, setLoaded] = useState<{ module: T }>();
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (!wanted || loaded) return;
    setFailure(null);
    loadOrAgain(load).then((module) => setLoaded({ module }), setFailure);
  }, [load, wanted, loaded]);
  return { loaded: loaded?.module, failure };
}

/** The addresses of modules that could not be fetched, by the function that loads them. */
const failed = new WeakMap<() => Promise<unknown>, string>();

/**
 * Loads a module. If that failed before, it is fetched by another address, because browsers do not fetch a module again whose
 * fetch has failed. Where their error does not tell the address, only a reload helps.
 */
async function loadOrAgain<T>(load: () => Promise<T>): Promise<T> {
  const address = failed.get(load);
  try {
    if (address === undefined) return await load();
    return await import(/* @vite-ignore */ `${address}?again=${Date.now()}`);
  } catch (error) {
    const [told] = /https?:\/\/[^\s?]+\.js/.exec(String(error)) ?? [];
    if (told) failed.set(load, told);
    throw error;
  }
}
