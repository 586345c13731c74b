import type { ComponentType } from 'react';
import { useLoaded } from '#web/browser/loaded.ts';
import { NotFetched } from './not-fetched.tsx';

export type OnDemandProps<P> = {
  /** Fetches the component; declared outside of components. */
  load: () => Promise<{ default: ComponentType<P> }>;
  props: P;
};

/** A page whose code is fetched when it is first shown. */
export function OnDemand<P extends object>({ load, props }: OnDemandProps<P>) {
  const { loaded, failure } = useLoaded(load);
  if (failure !== null) return <NotFetched />;
  return loaded && <loaded.default {...props} />;
}
