import { m } from '#shared/texts/messages.js';
import { describeFailure } from '#web/client/failure.ts';
import { OnDemand, type OnDemandProps } from '#web/shell/pages/on-demand.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';

type Props<P> = OnDemandProps<P> & { props: { onClose: () => void } };

/** A dialog or drawer whose code is fetched when it is first opened. If that fails, a toast says so and it closes. */
export function OverlayOnDemand<P extends object>({ load, props }: Props<P>) {
  const close = (failure: unknown) => {
    toast.error(describeFailure(failure, m.common_part_failed()));
    props.onClose();
  };
  return <OnDemand load={load} props={props} onFailed={close} />;
}
