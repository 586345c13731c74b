import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Exchange, Source, trySource } from '#features/sources/sources.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { useSubmit } from '#web/client/submit.ts';
import { formatDay, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { Serial } from '#web/ui/action/serial.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { Outcome } from '#web/ui/feedback/outcome.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { outcomeName } from './source-facts.tsx';
import { sources } from './sources.api.ts';
import styles from './try-dialog.module.css';

export function TryDialog({ source, onClose }: { source: Source; onClose: () => void }) {
  const [serial, setSerial] = useState('');
  const [trial, setTrial] = useState<Answer<typeof trySource> | null>(null);
  const queries = useQueryClient();

  const { busy, error, submit } = useSubmit({
    send: async () => {
      setTrial(null);
      try {
        setTrial(
          await call<typeof trySource>('POST /sources/{name}/try', {
            params: { name: source.name },
            body: { serial },
          }),
        );
      } finally {
        queries.invalidateQueries({ queryKey: sources.queryKey });
      }
    },
    fallback: m.sources_try_failed(),
  });

  return (
    <Dialog title={m.sources_try_title({ label: source.label })} width="wide" closeButton onClose={onClose}>
      <p className={typography.dim}>{m.sources_try_text()}</p>
      <form className={styles.tryForm} onSubmit={submit}>
        <TextInput
          label={m.sources_try_serial()}
          required
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          value={serial}
          onChange={(event) => setSerial(event.target.value)}
        />
        <Button type="submit" disabled={busy}>
          {busy ? m.sources_try_busy() : m.sources_try_submit()}
        </Button>
      </form>
      <div aria-live="polite">
        {error !== null && <Outcome tone="error">{error}</Outcome>}
        {trial !== null && <TryResult trial={trial} />}
      </div>
    </Dialog>
  );
}

type Trial = Answer<typeof trySource>;

function TryResult({ trial }: { trial: Trial }) {
  return (
    <div className={layout.stack}>
      <FactList
        facts={[
          [m.sources_try_outcome(), <strong key="outcome">{outcomeName[trial.outcome]()}</strong>],
          [
            m.sources_try_asked(),
            <span key="asked">
              <Serial value={trial.serial} />{' '}
              {trial.kind === 'serial' ? m.sources_serial() : trial.kind.toUpperCase()}
            </span>,
          ],
          ...(trial.details === null ? [] : [[m.sources_try_details(), trial.details] as const]),
        ]}
      />
      <section className={layout.tightStack} aria-label={m.sources_try_row()}>
        <h3>{m.sources_try_row()}</h3>
        <MappedRow row={trial.row} />
      </section>
      {trial.problems.length > 0 && (
        <section className={layout.tightStack} aria-label={m.sources_try_problems()}>
          <h3>{m.sources_try_problems()}</h3>
          <FactList facts={trial.problems.map(({ path, reason }) => [path, reason])} />
        </section>
      )}
      {trial.exchanges.length === 0 ? (
        <p className={typography.dim}>{m.sources_try_local()}</p>
      ) : (
        trial.exchanges.map((exchange, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the requests of one trial never change their order
          <ExchangeBox key={index} exchange={exchange} number={index + 1} />
        ))
      )}
    </div>
  );
}

function MappedRow({ row }: Pick<Trial, 'row'>) {
  if (row === null) return <p className={typography.dim}>{m.sources_try_no_row()}</p>;
  return (
    <FactList
      facts={[
        [m.sources_field_type(), row.type ?? '–'],
        [m.sources_field_activation(), row.activation_status ?? '–'],
        [m.sources_field_purchase(), formatDay(row.purchase_date)],
        [m.sources_field_warranty(), row.warranty_title ?? '–'],
        [m.sources_field_start(), formatDay(row.coverage_start_date)],
        [m.sources_field_end(), formatDay(row.coverage_end_date)],
      ]}
    />
  );
}

function ExchangeBox({ exchange, number }: { exchange: Exchange; number: number }) {
  const { request, answer, error, ms } = exchange;
  return (
    <div className={styles.tryExchange}>
      <h4>
        {m.sources_try_request_of({ number, method: request.method, ms: formatNumber(Math.round(ms)) })}
      </h4>
      <Message start={`${request.method} ${request.url}`} headers={request.headers} body={request.body} />
      {answer !== null && (
        <>
          <h4>{m.sources_try_answer_of({ status: answer.status })}</h4>
          <Message headers={answer.headers} body={answer.body} />
        </>
      )}
      {error !== null && <Banner tone="warning">{m.sources_try_no_answer({ error })}</Banner>}
    </div>
  );
}

type MessageParts = { start?: string; headers: Record<string, string>; body: string | null };

/** A message as it goes over the wire: first line, headers, an empty line, the body (JSON set out in lines). */
function Message({ start, headers, body }: MessageParts) {
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = start === undefined ? named : [start, ...named];
  if (body !== null && body !== '') lines.push('', setOut(body));
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  return <pre tabIndex={0}>{lines.join('\n')}</pre>;
}

function setOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
