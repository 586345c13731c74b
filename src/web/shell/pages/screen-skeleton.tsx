import { PanelSkeleton, Skeleton } from '#web/ui/feedback/skeleton.tsx';

export function ScreenSkeleton() {
  return (
    <div className="stack">
      <Skeleton height={32} width={220} />
      <PanelSkeleton height={320} />
    </div>
  );
}
