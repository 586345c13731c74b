import type { OutcomeName, Source } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { TimeBars } from '#web/ui/chart/time-bars.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';

export function SourceFacts({ source }: { source: Source }) {
  const { kind, registry, credentials_end: end, last_error_at: failedAt } = source;
  const accepts = source.accepts.map((name) => (name === 'serial' ? m.sources_serial() : name.toUpperCase()));
  const error = source.last_error ?? m.sources_no_error();
  const facts: [string, string][] = [
    [m.sources_kind(), kind],
    [m.sources_accepts(), accepts.join(', ')],
    [m.sources_egress(), source.egress === 'direct' ? m.sources_egress_direct() : m.sources_egress_proxies()],
    [m.sources_limits(), describeLimits(source.limits)],
    [m.sources_attempts(), formatNumber(source.attempts)],
  ];
  if (kind === 'registry') facts.push([m.sources_registry(), describeRegistry(registry)]);
  if (end !== null) {
    facts.push([m.sources_certificate(), m.sources_certificate_until({ time: formatInstant(end) })]);
  }
  facts.push([m.sources_last_error(), failedAt === null ? error : `${error} (${formatInstant(failedAt)})`]);
  return <FactList facts={facts} />;
}

function describeLimits(limits: Source['limits']): string {
  const parts = [
    limits.per_second !== null && m.sources_limit_per_second({ count: formatNumber(limits.per_second) }),
    limits.concurrency !== null && m.sources_limit_concurrency({ count: formatNumber(limits.concurrency) }),
    limits.per_proxy_per_second !== null &&
      m.sources_limit_proxy_per_second({ count: formatNumber(limits.per_proxy_per_second) }),
    limits.per_proxy_concurrency !== null &&
      m.sources_limit_proxy_concurrency({ count: formatNumber(limits.per_proxy_concurrency) }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? m.sources_limit_none() : parts.join(', ');
}

function describeRegistry(registry: Source['registry']): string {
  if (registry === null) return m.sources_registry_none();
  const since = m.sources_registry_since({ time: formatInstant(registry.uploaded_at) });
  return `${m.sources_registry_devices({ count: registry.devices, number: formatNumber(registry.devices) })} ${since}`;
}

export function SourceFigures({ source: { calls, p50_ms, p95_ms, outcomes, minutes } }: { source: Source }) {
  const counted = Object.entries(outcomeName).flatMap(([name, text]) => {
    const count = outcomes[name as keyof typeof outcomeName] ?? 0;
    return count > 0 ? [`${text()} ${formatNumber(count)}`] : [];
  });
  const sum = (key: 'calls' | 'answered') => minutes.reduce((total, minute) => total + minute[key], 0);
  return (
    <div className={layout.stack}>
      <FactList
        facts={[
          [m.sources_calls(), formatNumber(calls)],
          [m.sources_p50(), formatMilliseconds(p50_ms)],
          [m.sources_p95(), formatMilliseconds(p95_ms)],
          [m.sources_outcomes(), counted.join(', ') || m.sources_outcomes_none()],
        ]}
      />
      <div>
        <h3>{m.sources_last_hour()}</h3>
        <TimeBars
          label={m.sources_last_hour()}
          summary={m.sources_last_hour_of({
            calls: formatNumber(sum('calls')),
            answered: formatNumber(sum('answered')),
            peak: formatNumber(Math.max(0, ...minutes.map((minute) => minute.calls))),
          })}
          series={[m.sources_answered(), m.sources_unanswered()]}
          bars={minutes.map((minute) => ({
            from: minute.minute,
            values: [minute.answered, minute.calls - minute.answered],
          }))}
        />
      </div>
    </div>
  );
}

function formatMilliseconds(ms: number | null): string {
  return ms === null ? '–' : m.sources_milliseconds({ count: formatNumber(Math.round(ms)) });
}

export const outcomeName: Record<OutcomeName, () => string> = {
  found: m.sources_outcome_found,
  not_found: m.sources_outcome_not_found,
  invalid: m.sources_outcome_invalid,
  pending: m.sources_outcome_pending,
  throttled: m.sources_outcome_throttled,
  retry: m.sources_outcome_retry,
  auth: m.sources_outcome_auth,
  quota: m.sources_outcome_quota,
  unreachable: m.sources_outcome_unreachable,
};
