import { PanelSkeleton, Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** The shape of any screen, for the moment before its code has arrived. */
export function ScreenSkeleton() {
  return (
    <div className="stack">
      <Skeleton height={32} width={220} />
      <PanelSkeleton height={320} />
    </div>
  );
}
