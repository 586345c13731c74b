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
    load().then((module) => setLoaded({ module }), setFailure);
  }, [load, wanted, loaded]);
  return { loaded: loaded?.module, failure };
}
