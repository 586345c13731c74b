import type { Exchange, trySource } from '#features/sources/sources.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { formatDay, formatNumber } from '#web/format/format.ts';
import { Serial } from '#web/ui/action/serial.tsx';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { outcomeName } from './outcome-names.ts';

type Trial = Answer<typeof trySource>;

export function TryResult({ trial }: { trial: Trial }) {
  return (
    <div className="stack">
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
      <section className="stack tight" aria-label={m.sources_try_row()}>
        <h3>{m.sources_try_row()}</h3>
        <MappedRow row={trial.row} />
      </section>
      {trial.problems.length > 0 && (
        <section className="stack tight" aria-label={m.sources_try_problems()}>
          <h3>{m.sources_try_problems()}</h3>
          <FactList facts={trial.problems.map(({ path, reason }) => [path, reason])} />
        </section>
      )}
      {trial.exchanges.length === 0 ? (
        <p className="dim">{m.sources_try_local()}</p>
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
  if (row === null) return <p className="dim">{m.sources_try_no_row()}</p>;
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
    <div className="try-exchange">
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
