#!/usr/bin/env node
// The command line of Coverdesk: one file without dependencies, for Node 20 or newer. The server answers it at
// /cli/coverdesk.mjs and writes its own version into it.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const version = '0.0.0';

const help = `Usage: node coverdesk.mjs COMMAND [OPTIONS]

Commands
  check FILE          upload an Excel file (- for standard input), follow its lookups, download the report
  devices [SEARCH]    list the devices of the register, or download them with --out
  tickets             list the tickets
  tickets show N      show the progress of ticket N
  tickets report N    follow ticket N to its end and download its report
  tickets cancel N    cancel ticket N (superadmins)

Options
  --url URL           the address of Coverdesk, or COVERDESK_URL in the environment
  --token TOKEN       an API token, or COVERDESK_TOKEN; other users of the machine can see options, so prefer the variable
  --out FILE          where to write the report or the devices (- for standard output)
  --format FORMAT     excel or json, for --out
  --json              print JSON
  --retry SECONDS     how long to repeat calls that meet network faults or a busy server (default 600)
  --help, --version

Options of check
  --key KEY           an Idempotency-Key, so that a repeated upload makes no second ticket (default: a new one)
  --sheet NAME, --column LETTER, --fresh-days DAYS, --ticket N

Options of devices, as of GET /api/devices
  --activation activated|unactivated|unknown, --type, --warranty, --source, --ticket N, --company CODE,
  --ends-from DAY, --ends-to DAY, --expired true|false, --never-covered true|false, --checked-before DAY,
  --changed-since DAY, --sort COLUMN, --order asc|desc, --page N, --limit N

Exit codes: 0 done, 1 failed, 2 wrong usage
`;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const common = {
  url: text,
  token: text,
  out: text,
  format: text,
  json: flag,
  retry: text,
  help: flag,
  version: flag,
};
/** The options of a command that are parameters of its call, by the names of the parameters. */
const parameters = {
  check: { sheet: 'sheet', column: 'column', 'fresh-days': 'fresh_days', ticket: 'ticket_number' },
  devices: {
    activation: 'activation',
    type: 'type',
    warranty: 'warranty',
    source: 'source',
    ticket: 'ticket_number',
    company: 'company_code',
    'ends-from': 'ends_from',
    'ends-to': 'ends_to',
    expired: 'expired',
    'never-covered': 'never_covered',
    'checked-before': 'checked_before',
    'changed-since': 'changed_since',
    sort: 'sort',
    order: 'order',
    page: 'page',
    limit: 'limit',
  },
  tickets: { company: 'company_code' },
};

class UsageError extends Error {}
class Failure extends Error {
  /** @param status of the answer that refused the call */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const tell = (line) => process.stderr.write(`coverdesk: ${line}\n`);

/** Reads the command line. @throws UsageError */
function readCommand(args) {
  const all = Object.values(parameters).flatMap((names) => Object.keys(names));
  const any = { ...common, key: text, ...Object.fromEntries(all.map((name) => [name, text])) };
  const [command] = parseArgs({ args, options: any, allowPositionals: true, strict: false }).positionals;
  const own = parameters[command] ?? {};
  const options = { ...common, ...Object.fromEntries(Object.keys(own).map((name) => [name, text])) };
  if (command === 'check') options.key = text;
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // The text may repeat arguments that follow an unknown option, so only the option's name is kept.
    throw new UsageError(`cannot read the option ${/'(--?[\w-]+)/.exec(error.message)?.[1] ?? ''}`);
  }
  const { values, positionals } = parsed;
  if (values.help || values.version) return { values };
  if (!parameters[command]) throw new UsageError(command ? 'unknown command' : 'no command is given');
  // Such as an unset variable of a script: without a key a repeat would upload twice, without a name no file would appear.
  for (const option of ['key', 'out'])
    if (values[option] === '') throw new UsageError(`--${option} has no value`);
  if (values.key && !/^[\x20-\x7e]{1,200}$/.test(values.key))
    throw new UsageError('--key takes up to 200 characters of ASCII');
  const query = {};
  for (const [option, name] of Object.entries(own)) if (values[option]) query[name] = values[option];
  return { command, values, query, rest: positionals.slice(1) };
}

/** The server, as the options and the environment name it. @throws UsageError */
function readServer({ url = process.env.COVERDESK_URL, token = process.env.COVERDESK_TOKEN, retry = '600' }) {
  if (!url) throw new UsageError('--url or COVERDESK_URL is needed');
  if (URL.canParse(url) && new URL(url).username) throw new UsageError('the URL must not contain a password');
  if (!token) throw new UsageError('--token or COVERDESK_TOKEN is needed');
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new UsageError('the URL must begin with http:// or https://');
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('the token has characters that no token can have');
  if (!/^\d{1,6}$/.test(retry)) throw new UsageError('--retry is a number of seconds');
  return { base: url.replace(/\/+$/, ''), token, retryMs: Number(retry) * 1000, wasReached: false };
}

/** Statuses of a server that is busy, starting or behind a proxy that cannot reach it. */
const passing = new Set([429, 502, 503, 504]);
/** How long a server is tried that never answered, because its address may be wrong. */
const unknownMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** How long a call may take; files may take longer. */
const callMs = 60_000;
const fileMs = 3_600_000;

/**
 * Makes a call, and repeats it while the network or the server has a passing fault. All calls here may be repeated: they
 * read, carry an Idempotency-Key, or cancel. Redirects are refused, because they could lead the token elsewhere.
 */
async function call(server, path, { method = 'GET', headers = {}, body, ms = callMs, read = readJson } = {}) {
  const startedAt = performance.now();
  let pauseMs = firstPauseMs;
  let isTold = false;
  for (;;) {
    let fault;
    let waitMs = pauseMs * (0.5 + Math.random() / 2);
    try {
      const answer = await fetch(`${server.base}/api${path}`, {
        method,
        headers: { authorization: `Bearer ${server.token}`, ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(ms),
      });
      server.wasReached = true;
      if (answer.ok) return await read(answer);
      if (answer.status >= 300 && answer.status < 400)
        throw new Failure('the address redirects to another one: use that as the URL');
      fault = await describeAnswer(answer);
      if (!passing.has(answer.status)) throw new Failure(fault, answer.status);
      waitMs = Math.max(waitMs, Number(answer.headers.get('retry-after')) * 1000 || 0);
    } catch (error) {
      if (error instanceof Failure) throw error;
      fault = error.cause?.code ?? error.cause?.message ?? error.message;
    }
    const boundMs = server.wasReached ? server.retryMs : Math.min(server.retryMs, unknownMs);
    if (performance.now() + waitMs > startedAt + boundMs)
      throw new Failure(`${fault}; tried for ${boundMs / 1000} s`);
    if (!isTold) tell(`${fault}; trying again`);
    isTold = true;
    await delay(waitMs);
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

async function readJson(answer) {
  const body = await answer.text();
  try {
    return JSON.parse(body);
  } catch {
    throw new Failure('the answer is not JSON: is the URL that of Coverdesk?');
  }
}

/** Returns the server's message about a refusal, with the details of each field. */
async function describeAnswer(answer) {
  const { message, details } = await answer.json().catch(() => ({}));
  const fields = Object.entries(details ?? {})
    .slice(0, 10)
    .map(([name, detail]) =>
      typeof detail === 'object' && detail ? Object.values(detail).join(' ') : `${name}: ${detail}`,
    );
  return [message ?? `HTTP ${answer.status}`, ...fields].join(' ');
}

const toQuery = (query) => (Object.keys(query).length ? `?${new URLSearchParams(query)}` : '');

const downloadAttempts = 5;

/**
 * Downloads a file, which appears only when it is complete, or writes it to standard output. A download to a file that
 * breaks off is repeated.
 */
async function download(server, path, out) {
  for (let attempt = 1; ; attempt++) {
    const body = await call(server, path, { ms: fileMs, read: (answer) => answer.body });
    const content = Readable.fromWeb(body);
    if (out === '-') return pipeline(content, process.stdout, { end: false });
    const part = `${out}.${process.pid}.part`;
    try {
      await pipeline(content, createWriteStream(part));
      return await rename(part, out);
    } catch (error) {
      await rm(part, { force: true });
      // A fault of the disk has the name of a system call.
      if (error.syscall || attempt === downloadAttempts) throw error;
    }
  }
}

function readFormat({ format = 'excel' }) {
  if (format !== 'excel' && format !== 'json') throw new UsageError('--format is excel or json');
  return format;
}

const printJson = (value) => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** Prints lines of columns, separated by tabs. Control characters of values would break lines and terminals. */
function printTable(heads, rows) {
  const clean = (value) => String(value ?? '').replace(/\p{Cc}/gu, ' ');
  for (const row of [heads, ...rows]) process.stdout.write(`${row.map(clean).join('\t')}\n`);
}

/** Prints the answer of a command, unless standard output is its file. */
function print({ json, out }, value, heads, rows) {
  if (out === '-') return;
  if (json) printJson(value);
  else printTable(heads, rows);
}

const describeProgress = ({ ticket_number, status, percent, done, failed, total, waiting_reason }) =>
  `ticket ${ticket_number}: ${status}, ${percent} %, ${done} done, ${failed} failed of ${total}` +
  (waiting_reason ? ` (${waiting_reason})` : '');

/** Draws a progress bar where standard error is a terminal; otherwise writes a line for each new status. */
function createProgressBar() {
  let last = '';
  const width = 30;
  return {
    show(progress) {
      if (process.stderr.isTTY) {
        const filled = Math.floor((progress.percent / 100) * width);
        const bar = '#'.repeat(filled) + '-'.repeat(width - filled);
        const line = `[${bar}] ${describeProgress(progress)}`.slice(0, (process.stderr.columns ?? 80) - 1);
        process.stderr.write(`\r\x1b[2K${line}`);
      } else if (progress.status !== last) tell(describeProgress(progress));
      last = progress.status;
    },
    end() {
      if (process.stderr.isTTY && last) process.stderr.write('\n');
    },
  };
}

const firstPollMs = 500;
const longestPollMs = 5000;

/** Follows a ticket until it has ended. Returns its progress. */
async function follow(server, number) {
  const bar = createProgressBar();
  try {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(1.5 * pollMs, longestPollMs)) {
      const progress = await call(server, `/tickets/progress?ticket_number=${number}`);
      bar.show(progress);
      if (progress.status === 'Completed' || progress.status === 'Cancelled') return progress;
      await delay(pollMs);
    }
  } finally {
    bar.end();
  }
}

/** Follows a ticket to its end, downloads its report, and prints its counts. @throws Failure for a cancelled one */
async function report(server, values, number) {
  const format = readFormat(values);
  const progress = await follow(server, number);
  if (values.out) {
    await download(server, `/imei/download${toQuery({ ticket_number: number, format })}`, values.out);
  }
  const { status, done, failed, total } = progress;
  print(
    values,
    progress,
    ['ticket', 'status', 'done', 'failed', 'total'],
    [[number, status, done, failed, total]],
  );
  if (status !== 'Completed') throw new Failure(`ticket ${number} was cancelled`);
}

async function check(server, { values, query, rest }) {
  const [file] = rest;
  if (rest.length !== 1) throw new UsageError('check takes one file');
  readFormat(values);
  const content = file === '-' ? await buffer(process.stdin) : await readFile(file);
  const body = new FormData();
  for (const [name, value] of Object.entries(query)) body.set(name, value);
  body.set('excel', new Blob([content]), file === '-' ? 'stdin.xlsx' : basename(file));
  const headers = { 'idempotency-key': values.key ?? randomUUID() };
  const imported = await call(server, '/data/upload', { method: 'POST', headers, body, ms: fileMs });
  const { ticket, imported_count, invalid_count, duplicate_count } = imported;
  const number = ticket.ticket_number;
  tell(
    `ticket ${number}: ${imported_count} rows, ${invalid_count} invalid, ${duplicate_count} duplicates left out`,
  );
  try {
    await report(server, values, number);
  } catch (error) {
    tell(`the ticket stays: "tickets report ${number}" goes on with it`);
    throw error;
  }
}

async function devices(server, { values, query, rest }) {
  if (rest.length > 1) throw new UsageError('devices takes one search');
  if (rest[0]) query.q = rest[0];
  if (values.out) {
    const { page: _page, limit: _limit, ...filters } = query;
    const asked = toQuery({ ...filters, format: readFormat(values) });
    return download(server, `/devices/download${asked}`, values.out);
  }
  const list = await call(server, `/devices${toQuery({ limit: '100', ...query })}`);
  const heads = [
    'serial_number',
    'type',
    'activation_status',
    'coverage_end_date',
    'coverage_expires',
    'last_checked',
  ];
  print(
    values,
    list,
    heads,
    list.data.map((device) => heads.map((name) => device[name])),
  );
  const { totalItems } = list.pagination;
  if (!values.json && totalItems > list.data.length)
    tell(`${list.data.length} of ${totalItems} devices: --page and --limit show others, --out all`);
}

/** Cancels a ticket. A repeated call is refused if the answer to the first one was lost, so the ticket is read again. */
async function cancel(server, number) {
  const read = () => call(server, `/tickets/by-number?ticket_number=${number}`);
  const { ticket } = await read();
  try {
    return await call(server, `/tickets/${ticket._id}/cancel`, { method: 'POST' });
  } catch (error) {
    const answer = error.status === 409 && ticket.status !== 'Cancelled' ? await read() : undefined;
    if (answer?.ticket.status !== 'Cancelled') throw error;
    return answer;
  }
}

async function tickets(server, { values, query, rest }) {
  const [action, number, ...more] = rest;
  if (action === undefined) {
    const list = await call(server, `/tickets/ticket-numbers${toQuery(query)}`);
    const heads = ['ticket_number', 'status', 'total', 'finished', 'date', 'file_name'];
    return print(
      values,
      list,
      heads,
      list.data.map((ticket) => heads.map((name) => ticket[name])),
    );
  }
  if (!['show', 'report', 'cancel'].includes(action)) throw new UsageError('unknown command of tickets');
  if (more.length > 0 || !/^\d{1,15}$/.test(number ?? ''))
    throw new UsageError(`tickets ${action} takes a number`);
  if (action === 'report') return report(server, values, number);
  if (action === 'show') {
    const progress = await call(server, `/tickets/progress?ticket_number=${number}`);
    return values.json ? printJson(progress) : process.stdout.write(`${describeProgress(progress)}\n`);
  }
  const answer = await cancel(server, number);
  return values.json ? printJson(answer) : process.stdout.write(`ticket ${number} is cancelled\n`);
}

/** Runs the command line. Returns the exit code. */
async function main(args) {
  let token = process.env.COVERDESK_TOKEN;
  const withoutToken = (message) => (token ? message.replaceAll(token, '[token]') : message);
  try {
    const given = readCommand(args);
    token = given.values.token ?? token;
    if (given.values.help) process.stdout.write(help);
    else if (given.values.version) process.stdout.write(`${version}\n`);
    else await { check, devices, tickets }[given.command](readServer(given.values), given);
    return 0;
  } catch (error) {
    tell(withoutToken(error.message));
    if (!(error instanceof UsageError)) return 1;
    tell('--help shows how to use it');
    return 2;
  }
}

// A reader of standard output that closes it, such as `head`, ends the command.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));
