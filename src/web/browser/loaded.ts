import { useEffect, useState } from 'react';

/**
 * Code that is fetched when it is wanted, and why it could not be. React would hold back for 300 ms what a Suspense
 * boundary waited for, and take the page away when it fails.
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
