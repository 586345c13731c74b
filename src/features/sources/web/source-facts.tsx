import type { Source } from '#features/sources/sources.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatInstant, formatNumber } from '#web/format/format.ts';

/** What a source is and within which limits it is asked. */
export function SourceFacts({ source }: { source: Source }) {
  const accepts = source.accepts.map((kind) => (kind === 'serial' ? m.sources_serial() : kind.toUpperCase()));
  return (
    <dl className="source-facts">
      <div>
        <dt>{m.sources_kind()}</dt>
        <dd className="mono">{source.kind}</dd>
      </div>
      <div>
        <dt>{m.sources_accepts()}</dt>
        <dd>{accepts.join(', ')}</dd>
      </div>
      <div>
        <dt>{m.sources_egress()}</dt>
        <dd>{source.egress === 'direct' ? m.sources_egress_direct() : m.sources_egress_proxies()}</dd>
      </div>
      <div>
        <dt>{m.sources_limits()}</dt>
        <dd>{describeLimits(source.limits)}</dd>
      </div>
      <div>
        <dt>{m.sources_attempts()}</dt>
        <dd>{formatNumber(source.attempts)}</dd>
      </div>
      {source.kind === 'registry' && (
        <div>
          <dt>{m.sources_registry()}</dt>
          <dd>{describeRegistry(source.registry)}</dd>
        </div>
      )}
      {source.credentials_end !== null && (
        <div>
          <dt>{m.sources_certificate()}</dt>
          <dd>{m.sources_certificate_until({ time: formatInstant(source.credentials_end) })}</dd>
        </div>
      )}
      <div className="source-error">
        <dt>{m.sources_last_error()}</dt>
        <dd>
          {source.last_error ?? m.sources_no_error()}
          {source.last_error_at !== null && (
            <span className="dim"> {formatInstant(source.last_error_at)}</span>
          )}
        </dd>
      </div>
    </dl>
  );
}

function describeLimits(limits: Source['limits']): string {
  const parts = [
    limits.per_second !== null && m.sources_limit_per_second({ count: limits.per_second }),
    limits.concurrency !== null && m.sources_limit_concurrency({ count: limits.concurrency }),
    limits.per_proxy_per_second !== null &&
      m.sources_limit_proxy_per_second({ count: limits.per_proxy_per_second }),
    limits.per_proxy_concurrency !== null &&
      m.sources_limit_proxy_concurrency({ count: limits.per_proxy_concurrency }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? m.sources_limit_none() : parts.join(', ');
}

function describeRegistry(registry: Source['registry']): string {
  if (registry === null) return m.sources_registry_none();
  const since = m.sources_registry_since({ time: formatInstant(registry.uploaded_at) });
  return `${m.sources_registry_devices({ count: registry.devices, number: formatNumber(registry.devices) })} ${since}`;
}
