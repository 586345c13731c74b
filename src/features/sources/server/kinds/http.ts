import type { Coverage } from '#features/sources/sources.contract.ts';
import { fill } from '#server/http/errors/errors.ts';
import { parseJson } from '#shared/parse-json.ts';
import { m } from '#shared/texts/messages.js';
import type { OpenedSource, Outcome, Question, SourceTools } from '../configuration/source.ts';
import { defineKind } from '../configuration/source-kind.ts';
import { createDirectConnections } from '../http/connections.ts';
import type { HttpResponse } from '../http/http-messages.ts';
import { tracedExchange } from '../http/traced-exchange.ts';
import { defaultOutcome, notExpected, plainOutcome } from '../responses/default-outcome.ts';
import {
  compileExpression,
  describeExpressionError,
  type Expression,
  holds,
  limitReading,
  ReadingLimitError,
} from '../responses/expression.ts';
import { explainUnused, readCoverage } from '../responses/read-coverage.ts';
import { failedOutcome } from './failed-outcome.ts';
import { createRequestMaker } from './http-request.ts';
import { type HttpSettings, httpSettings } from './http-settings.ts';

/** Any JSON-over-HTTP service, described by configuration alone. */
export const http = defineKind({
  kind: 'http',
  nature: 'remote or by proxies',
  settings: httpSettings,
  open: (settings, tools) => openHttpSource(settings, tools),
});

/** Opens a source by its configuration. The sandbox uses it, too. */
export async function openHttpSource(settings: HttpSettings, tools: SourceTools): Promise<OpenedSource> {
  const direct = createDirectConnections();
  const make = createRequestMaker(settings, tools.secrets);
  const readOutcome = createOutcomeReader(settings, tools);
  return {
    async ask({ serial, poll, via, permits, trace, explain }) {
      const request = poll !== null && make.poll ? make.poll(serial, poll) : make.ask(serial);
      try {
        const response = await tracedExchange(via ?? direct, request, {
          timeoutMs: settings.request.timeout_ms,
          permits,
          trace,
          mask: tools.secrets.mask,
        });
        return await readOutcome(response, poll, explain);
      } catch (error) {
        return await failedOutcome(error, tools, via !== undefined);
      }
    },
    close: () => direct.destroy(),
  };
}

/**
 * Creates the function that turns responses into outcomes: the first matching rule wins, then the defaults. A
 * response to a poll that is still pending need not repeat the id.
 */
function createOutcomeReader(
  settings: HttpSettings,
  tools: SourceTools,
): (response: HttpResponse, polled: string | null, explain: Question['explain']) => Promise<Outcome> {
  const rules = settings.outcomes.map((rule) => ({ holds: compileExpression(rule.if), outcome: rule.then }));
  const fields = Object.entries(settings.fields).flatMap(([name, text]) =>
    text === undefined ? [] : [{ name: name as keyof Coverage, read: compileExpression(text) }],
  );
  const idOf = settings.poll && compileExpression(settings.poll.id);

  return async ({ status, headers, body: text }, polled, explain) => {
    const limit = limitReading();
    /** Evaluates an expression. One that fails on this document gives undefined, and the failure goes to `explain`. */
    const evaluate = async (expression: Expression, path: string): Promise<unknown> => {
      try {
        return await expression(document, limit);
      } catch (failure) {
        if (failure instanceof ReadingLimitError) throw failure;
        const error = describeExpressionError(failure);
        explain?.({ path, reason: fill(m.server_try_expression_fails, { error }) });
        return undefined;
      }
    };
    const body = parseJson(text);
    const document = { status, headers, body };
    const readable = body !== undefined && (status < 300 || status >= 400);
    let name: HttpSettings['outcomes'][number]['then'] | undefined;
    for (const [index, rule] of rules.entries()) {
      if (!holds(await evaluate(rule.holds, `outcomes[${index}].if`))) continue;
      name = rule.outcome;
      break;
    }
    name ??= readable && status < 300 ? 'found' : undefined;

    if (name === 'found' && readable) {
      const values: Partial<Record<keyof Coverage, unknown>> = {};
      for (const field of fields) {
        values[field.name] = await evaluate(field.read, `fields.${field.name}`);
      }
      const coverage = readCoverage(values, tools.timezone);
      if (explain) {
        for (const { name: field } of fields) {
          const reason = explainUnused(field, values[field], coverage, tools.secrets.mask);
          if (reason) explain({ path: `fields.${field}`, reason });
        }
      }
      return { is: 'found', coverage };
    }
    if (name === 'pending' && settings.poll && idOf) {
      const id = readPollId(await evaluate(idOf, 'poll.id')) ?? polled;
      if (id === null) return { is: 'retry', error: 'the answer names nothing to ask for again' };
      return { is: 'pending', poll: id, afterMs: settings.poll.every_ms, max: settings.poll.max };
    }
    if (name === undefined) return defaultOutcome(status, headers, Date.now());
    if (name === 'found' || name === 'pending') return { is: 'retry', error: notExpected(status) };
    return plainOutcome(name, `HTTP ${status}`, headers, Date.now());
  };
}

/** Reads the id to poll for. A text in the database cannot contain NUL. */
function readPollId(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? value.toWellFormed() : null;
}
