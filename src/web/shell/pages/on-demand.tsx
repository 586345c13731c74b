import { type ComponentType, useEffect, useEffectEvent } from 'react';
import { useLoaded } from '#web/browser/loaded.ts';
import { NotFetched } from './not-fetched.tsx';

export type OnDemandProps<P> = {
  /** Fetches the component; declared outside of components. */
  load: () => Promise<{ default: ComponentType<P> }>;
  props: P;
  /** Hears why the code could not be fetched; without it, the failure stands in its place. */
  onFailed?: (failure: unknown) => void;
};

export function OnDemand<P extends object>({ load, props, onFailed }: OnDemandProps<P>) {
  const { loaded, failure } = useLoaded(load);
  const tell = useEffectEvent(() => onFailed?.(failure));
  useEffect(() => {
    if (failure !== null) tell();
  }, [failure]);
  if (failure !== null) return onFailed ? null : <NotFetched />;
  return loaded && <loaded.default {...props} />;
}
