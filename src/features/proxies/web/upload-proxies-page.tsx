import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { uploadProxies } from '#features/proxies/proxies.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { useSubmit } from '#web/client/submit.ts';
import { upload } from '#web/client/upload.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { FileDrop } from '#web/ui/field/file-drop.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { Panel } from '#web/ui/layout/panel.tsx';
import { proxySets } from './proxies.api.ts';

const examples = [
  [m.proxies_format_ipv4, '203.0.113.7:8080'],
  [m.proxies_format_ipv6, '[2001:db8::7]:1080'],
  [m.proxies_format_login, '203.0.113.7:8080:user:pass'],
  [m.proxies_format_scheme, 'socks5://user:pass@203.0.113.7:1080'],
  [m.proxies_format_comment, '# Jakarta'],
] as const;

const maxFileBytes = 10 * 1024 * 1024;

/** Returns the text why a chosen file may not be sent (docs/rules.md, Proxies); null if it may. */
function findFileProblem(file: File): (() => string) | null {
  const isText = file.type === 'text/plain' || file.name.toLowerCase().endsWith('.txt');
  if (!isText) return m.proxies_wrong_file;
  return file.size > maxFileBytes ? m.proxies_too_large : null;
}

/** Upload Proxies: creates a proxy set from a text file. The result replaces the form. */
export function UploadProxiesPage() {
  const [file, setFile] = useState<File | null>(null);
  const [answer, setAnswer] = useState<Answer<typeof uploadProxies> | null>(null);
  const queries = useQueryClient();

  const { busy, error, setError, submit } = useSubmit({
    check: () => (file === null ? m.proxies_no_file : null),
    send: async () => {
      if (file === null) return;
      setAnswer(null);
      const form = new FormData();
      form.set('file', file);
      setAnswer(await upload<typeof uploadProxies>('POST /proxies/upload', { form }));
      setFile(null);
      await queries.invalidateQueries({ queryKey: proxySets.queryKey });
    },
    fallback: m.proxies_upload_failed(),
  });
  const choose = (chosen: File | null) => {
    const problem = chosen && findFileProblem(chosen);
    setError(problem);
    setFile(problem === null ? chosen : null);
    setAnswer(null);
  };

  return (
    <>
      <PageHeader title={m.proxies_upload_title()} subtitle={m.proxies_upload_subtitle()} />
      <div className={layout.mainAndAside}>
        <div className={layout.stack}>
          <form className={`${panels.panel} ${panels.panelBody} ${layout.stack}`} onSubmit={submit}>
            {error !== null && <Outcome tone="error">{error}</Outcome>}
            <FileDrop
              label={m.proxies_file()}
              accept=".txt,text/plain"
              prompt={m.proxies_drop()}
              hint={m.proxies_file_rules()}
              file={file}
              onFile={choose}
              disabled={busy}
            />
            <div className={layout.row}>
              <Button type="submit" disabled={busy}>
                {busy ? m.proxies_uploading() : m.proxies_upload()}
              </Button>
            </div>
          </form>
          {answer !== null && <UploadedProxies message={answer.message} set={answer.data} />}
        </div>
        <Panel title={m.proxies_format_title()}>
          <ul className={layout.tightStack}>
            {examples.map(([name, example]) => (
              <li key={example}>
                <p className={typography.dim}>{name()}</p>
                <p className={typography.code}>{example}</p>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </>
  );
}

type UploadedSet = Answer<typeof uploadProxies>;

/** An uploaded set with a sample. Refused lines come first, so that the result is not mistaken for a success. */
function UploadedProxies({ message, set }: { message: string; set: UploadedSet['data'] }) {
  const refused = set.rejected_count > 0;
  return (
    <section
      className={`${panels.panel} ${panels.panelBody} ${layout.stack}`}
      aria-label={m.proxies_upload_title()}
    >
      {refused && (
        <Outcome
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
        </Outcome>
      )}
      {refused ? <p role="status">{message}</p> : <Outcome tone="success">{message}</Outcome>}
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
      <ul className={typography.code}>
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
