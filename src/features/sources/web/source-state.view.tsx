import type { Source } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber, formatTime } from '#web/format/format.ts';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import styles from './source-panel.module.css';

const looks = {
  up: { tone: 'green', mark: 'check', text: m.sources_state_up },
  throttled: { tone: 'yellow', mark: 'alert', text: m.sources_state_throttled },
  waiting: { tone: 'red', mark: 'clock', text: m.sources_state_waiting },
  off: { tone: 'grey', mark: 'pause', text: m.sources_state_off },
} as const;

const reasons = {
  pace: m.sources_reason_pace,
  down: m.sources_reason_down,
  auth: m.sources_reason_auth,
  quota: m.sources_reason_quota,
  proxies: m.sources_reason_proxies,
  paused: m.sources_reason_paused,
  disabled: m.sources_reason_disabled,
} as const;

export function SourceState({ source }: { source: Source }) {
  const { tone, mark, text } = looks[source.state];
  return (
    <>
      <StatusBadge tone={tone} mark={mark} text={text()} />
      <span className={styles.sourceReason}>{explainState(source)}</span>
    </>
  );
}

/** Returns why a source is not up; empty if it is up. */
export function nameReason({ reason, pace }: Source): string {
  if (reason === null) return '';
  return reason === 'pace' && pace !== null
    ? m.sources_reason_pace_at({ pace: formatNumber(pace) })
    : reasons[reason]();
}

function explainState(source: Source): string {
  const why = nameReason(source);
  const { next_probe: nextProbe } = source;
  if (nextProbe === null) return why;
  const time = formatTime(Date.parse(nextProbe));
  return `${why} · ${m.sources_next_probe({ time })}`;
}
