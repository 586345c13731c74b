import { Link } from 'react-router';
import type { uploadProxies } from '#features/proxies/proxies.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';

type Uploaded = Answer<typeof uploadProxies>;

/** An uploaded set with a sample. Refused lines come first, so that the result is not mistaken for a success. */
export function UploadedProxies({ message, set }: { message: string; set: Uploaded['data'] }) {
  const refused = set.rejected_count > 0;
  return (
    <section className="panel panel-body stack" aria-label={m.proxies_upload_title()}>
      {refused && (
        <Banner
          tone="warning"
          title={m.proxies_rejected({
            count: set.rejected_count,
            number: formatNumber(set.rejected_count),
          })}
        >
          <ul>
            {set.rejected.map(({ line, reason }) => (
              <li key={line}>
                {m.proxies_rejected_line()} {formatNumber(line)}: {reason}
              </li>
            ))}
            {set.rejected_count > set.rejected.length && <li>…</li>}
          </ul>
        </Banner>
      )}
      {refused ? <p role="status">{message}</p> : <Banner tone="success">{message}</Banner>}
      <FactList
        facts={[
          [m.proxies_proxy_set(), set.proxy_set],
          [m.proxies_total(), formatNumber(set.proxies_count)],
          [m.proxies_expires(), formatInstant(set.expire_date)],
          ...(set.duplicate_count > 0
            ? [[m.data_import_duplicates_label(), formatNumber(set.duplicate_count)] as const]
            : []),
        ]}
      />
      <h2>{m.proxies_sample()}</h2>
      <ul className="code">
        {set.sample_proxies.map((proxy) => (
          <li key={proxy}>{proxy}</li>
        ))}
      </ul>
      <p>
        <Link to={paths.proxies}>{m.proxies_view_sets()}</Link>
      </p>
    </section>
  );
}
