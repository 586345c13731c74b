import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useIsOutdated } from '#web/ui/feedback/read-state.tsx';

type Props = {
  label: string;
  /** 0 to 100. */
  percent: number;
  tone?: 'accent' | 'yellow' | 'blue' | 'green' | 'red';
  /** The percentage that failed: part of `percent`, in a colour of its own. */
  failed?: number;
  animated?: boolean;
};

export function ProgressBar({ label, percent, tone = 'accent', failed = 0, animated = false }: Props) {
  const isOutdated = useIsOutdated();
  const color = tone === 'accent' ? 'var(--accent)' : `var(--${tone}-fill)`;
  return (
    <Progress.Root
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <Progress.Section
        withAria={false}
        value={percent - failed}
        color={color}
        animated={animated && !isOutdated}
      />
      {failed > 0 && <Progress.Section withAria={false} value={failed} color="var(--red-fill)" />}
    </Progress.Root>
  );
}
