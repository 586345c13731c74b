import './progress-bar.css';

type Props = {
  label: string;
  /** 0 to 100. */
  percent: number;
  tone?: 'accent' | 'yellow' | 'blue' | 'green' | 'red';
  /** Percent of it that failed, as a segment of its own. */
  failed?: number;
  /** Moves while work goes on. */
  animated?: boolean;
};

/** A bar with a name and a value. */
export function ProgressBar({ label, percent, tone = 'accent', failed = 0, animated = false }: Props) {
  return (
    <div
      className={animated ? 'progress animated' : 'progress'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div className={`progress-fill ${tone}`} style={{ width: `${percent - failed}%` }} />
      {failed > 0 && <div className="progress-fill failed" style={{ width: `${failed}%` }} />}
    </div>
  );
}
