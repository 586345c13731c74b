import { type ComponentType, useEffect, useEffectEvent } from 'react';
import { m } from '#shared/texts/messages.js';
import { useLoaded } from '#web/browser/loaded.ts';
import { describeFailure } from '#web/client/failure.ts';
import { toast } from '#web/ui/feedback/toast.tsx';
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

type OverlayProps<P> = OnDemandProps<P> & { props: { onClose: () => void } };

/** A dialog or drawer whose code is fetched when it is first opened. If that fails, a toast says so and it closes. */
export function OverlayOnDemand<P extends object>({ load, props }: OverlayProps<P>) {
  const close = (failure: unknown) => {
    toast.error(describeFailure(failure, m.common_part_failed()));
    props.onClose();
  };
  return <OnDemand load={load} props={props} onFailed={close} />;
}
