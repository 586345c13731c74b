import { Link } from 'react-router';
import type { uploadProxies } from '#features/proxies/proxies.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';

type Uploaded = Answer<typeof uploadProxies>;

/** What became of an uploaded file: the new set, a sample of it, and the lines that were refused. */
export function UploadedProxies({ message, set }: { message: string; set: Uploaded['data'] }) {
  return (
    <section className="panel panel-body stack" aria-label={m.proxies_upload_title()}>
      <Banner tone="success">{message}</Banner>
      <dl className="uploaded-proxies">
        <dt>{m.proxies_proxy_set()}</dt>
        <dd className="mono">{set.proxy_set}</dd>
        <dt>{m.proxies_total()}</dt>
        <dd>{formatNumber(set.proxies_count)}</dd>
        <dt>{m.proxies_expires()}</dt>
        <dd>{formatInstant(set.expire_date)}</dd>
        <dt>{m.proxies_sample()}</dt>
        <dd>
          <ul className="mono">
            {set.sample_proxies.map((proxy) => (
              <li key={proxy}>{proxy}</li>
            ))}
          </ul>
        </dd>
      </dl>
      {set.rejected_count > 0 && (
        <Banner
          tone="warning"
          title={m.proxies_rejected({
            count: set.rejected_count,
            number: formatNumber(set.rejected_count),
          })}
        >
          <ul className="uploaded-proxies-rejected">
            {set.rejected.map(({ line, reason }) => (
              <li key={line}>
                {m.proxies_rejected_line()} {formatNumber(line)}: {reason}
              </li>
            ))}
            {set.rejected_count > set.rejected.length && <li>…</li>}
          </ul>
        </Banner>
      )}
      <p>
        <Link to={paths.proxies}>{m.proxies_view_sets()}</Link>
      </p>
    </section>
  );
}
