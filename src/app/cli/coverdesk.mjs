#!/usr/bin/env node
// The command line of Coverdesk, without dependencies, for Node 20 or newer. The server answers it at /cli/coverdesk.mjs as
// one file, in which each module stands where it is imported, and writes its own version into it.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { call, fileMs } from './calls.mjs';
import { Failure, hideSecret, tell, UsageError, withoutControls } from './failures.mjs';
import { listInventoryCommands } from './inventory-commands.mjs';
import { readAddress } from './read-address.mjs';
import { readInput } from './read-input.mjs';
import { writeFileAt } from './write-file-at.mjs';

const version = '0.0.0';

const help = `Usage: node coverdesk.mjs COMMAND [OPTIONS]

Commands
  check FILE          upload an Excel file (- for standard input), follow its lookups, download the report with --out
  devices [SEARCH]    list the devices of the register, or download them with --out
  tickets             list the tickets
  tickets show N      show the progress of ticket N
  tickets report N    follow ticket N to its end, download its report with --out
  tickets cancel N    stop ticket N, and keep its results
  pull SYSTEM [FILE]  make an Excel file of an inventory's serials and some of its fields: snipe-it, glpi, jamf, csv FILE
  push SYSTEM [FILE]  write warranty end, months and status from the register into the inventory, where they differ

Options
  --url URL           the address of Coverdesk, or COVERDESK_URL in the environment; that of the inventory for pull and push
  --token TOKEN       an API token, or COVERDESK_TOKEN; other users of the machine can see options, so prefer the variable
  --retry SECONDS     how long to repeat calls that meet network faults or a busy server (default 600)
  --insecure          send the token by http to another machine, readable for everybody on the way
  --json              print JSON
  --help, --version

Options of check, devices and tickets report
  --out FILE          where to write the report, or all devices that match (- for standard output, alone)
  --format FORMAT     excel (the default) or json, for --out

Options of check
  --key KEY           an Idempotency-Key, so that a repeated upload makes no second ticket (default: a new one)
  --sheet NAME, --column LETTER, --fresh-days DAYS, --ticket N

Options of devices, as of GET /api/devices
  --activation activated|unactivated|unknown, --type, --warranty, --source, --ticket N, --company CODE,
  --ends-from DAY, --ends-to DAY, --expired true|false, --never-covered true|false, --checked-before DAY,
  --changed-since DAY, --sort COLUMN, --order asc|desc, --page N and --limit N without --out

Options of pull and push; each system has variables: SNIPE_IT_URL and SNIPE_IT_TOKEN, GLPI_URL, GLPI_USER_TOKEN and
GLPI_APP_TOKEN (if its API client has one), JAMF_URL, JAMF_CLIENT_ID and JAMF_CLIENT_SECRET
  --out FILE          pull: the Excel file to write (by default SYSTEM.xlsx); push csv: the CSV file to write (by default
                      FILE.updated.csv beside FILE); - for standard output
  --serial-field NAME snipe-it: the custom field, csv: the column with the serials (by default their own)
  --dry-run           push: list what would be written, and write nothing
  --ticket N, --company CODE   push: only the devices of a ticket, of a company

Options of tickets
  --company CODE      the tickets of one company

Exit codes: 0 done, 1 failed, 2 wrong usage
`;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const common = { url: text, token: text, retry: text, insecure: flag, json: flag, help: flag, version: flag };
const file = { out: text, format: text };

/**
 * The commands. `options` are those beside the common ones; `parameters` are options that become parameters of the call,
 * by the names of the parameters. `isLocal`: it finds the servers itself.
 */
const commands = {
  check: {
    run: check,
    options: { ...file, key: text },
    parameters: { sheet: 'sheet', column: 'column', 'fresh-days': 'fresh_days', ticket: 'ticket_number' },
  },
  devices: {
    run: devices,
    options: file,
    parameters: {
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
  },
  tickets: { run: listTickets, parameters: { company: 'company_code' } },
  'tickets show': { run: showTicket },
  'tickets report': { run: reportTicket, options: file },
  'tickets cancel': { run: cancelTicket },
  ...listInventoryCommands(text, flag),
};

/** Returns the options of a command. */
function optionsOf({ options, parameters = {} }) {
  return {
    ...common,
    ...options,
    ...Object.fromEntries(Object.keys(parameters).map((name) => [name, text])),
  };
}

/** Reads the command line. @throws UsageError */
function readCommand(args) {
  const { values, positionals, tokens } = parseArgs({
    args,
    options: Object.assign({}, ...Object.values(commands).map(optionsOf)),
    allowPositionals: true,
    tokens: true,
    // The command, which has its own options, is only known afterwards.
    strict: false,
  });
  if (values.help || values.version) return { values };
  const [word, action] = positionals;
  if (word === undefined) throw new UsageError('no command is given');
  const hasAction = ['tickets', 'pull', 'push'].includes(word) && action !== undefined;
  const name = hasAction ? `${word} ${action}` : word;
  if (!Object.hasOwn(commands, name))
    throw new UsageError(hasAction ? `unknown command of ${word}` : 'unknown command');
  const options = optionsOf(commands[name]);
  for (const token of tokens) if (token.kind === 'option') requireUsable(token, name, options);
  requireEffect(name, values);
  const query = {};
  for (const [option, parameter] of Object.entries(commands[name].parameters ?? {}))
    if (values[option] !== undefined) query[parameter] = values[option];
  return { name, values, query, rest: positionals.slice(hasAction ? 2 : 1) };
}

/** Checks one option, as the command line has it. @throws UsageError, without the value, which may be secret */
function requireUsable({ name: option, rawName, value, inlineValue }, command, options) {
  if (!Object.hasOwn(options, option)) throw new UsageError(`${command} takes no option ${rawName}`);
  if (options[option] === flag) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return;
  }
  // An empty value comes from an unset variable in a script. If the next option follows, the value is missing.
  if (!value || (!inlineValue && /^-./.test(value))) throw new UsageError(`${rawName} has no value`);
}

/** Checks the options together: each has a value that it can have, and an effect. @throws UsageError */
function requireEffect(command, { out, format, json, key, page, limit }) {
  if (key && !/^[\x20-\x7e]{1,200}$/.test(key))
    throw new UsageError('--key takes up to 200 characters of ASCII');
  if (format && format !== 'excel' && format !== 'json') throw new UsageError('--format is excel or json');
  if (!out) {
    if (format) throw new UsageError('--format needs --out');
  } else if (command === 'devices') {
    if (json) throw new UsageError('--json is for the list: --format json writes the file of --out as JSON');
    if (page) throw new UsageError('--page is for the list: --out writes all devices');
    if (limit) throw new UsageError('--limit is for the list: --out writes all devices');
  } else if (json && out === '-') throw new UsageError('--json and --out - cannot share standard output');
}

/** Returns how long faults are repeated, in milliseconds. @throws UsageError */
function readRetry(seconds = '600') {
  if (!/^\d{1,6}$/.test(seconds)) throw new UsageError('--retry is a number of seconds');
  return Number(seconds) * 1000;
}

/** The server, as the options and the environment name it. @throws UsageError */
function readServer({
  url = process.env.COVERDESK_URL,
  token = process.env.COVERDESK_TOKEN,
  retry,
  insecure = false,
}) {
  if (!url) throw new UsageError('--url or COVERDESK_URL is needed');
  if (!token) throw new UsageError('--token or COVERDESK_TOKEN is needed');
  hideSecret(token);
  const base = `${readAddress(url, insecure)}/api`;
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('the token has characters that no token can have');
  const authorize = () => ({ authorization: `Bearer ${token}` });
  return { name: 'Coverdesk', base, authorize, retryMs: readRetry(retry), wasReached: false };
}

const toQuery = (query) => (Object.keys(query).length ? `?${new URLSearchParams(query)}` : '');

const downloadAttempts = 5;

/** Downloads a file or writes it to standard output. A download to a file that breaks off is repeated. */
async function download(server, path, out) {
  const open = async () =>
    Readable.fromWeb(await call(server, path, { ms: fileMs, read: (answer) => answer.body }));
  if (out === '-') {
    await pipeline(await open(), process.stdout, { end: false }).catch(ignoreClosedReader);
    return;
  }
  await writeFileAt(out, async (file, isReplaced) => {
    for (let attempt = 1; ; attempt++) {
      const content = await open();
      try {
        return await pipeline(content, createWriteStream(file));
      } catch (error) {
        if (error.syscall || !isReplaced || attempt === downloadAttempts) throw error;
      }
    }
  });
}

const printJson = (value) => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** Prints lines of columns, separated by tabs. */
function printTable(heads, rows) {
  for (const row of [heads, ...rows]) process.stdout.write(`${row.map(withoutControls).join('\t')}\n`);
}

/** Prints the answer of a command. */
function print({ json }, value, heads, rows) {
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
const maxPollMs = 5000;

/** Follows a ticket until it has ended. Returns its progress. */
async function follow(server, number) {
  const bar = createProgressBar();
  try {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(1.5 * pollMs, maxPollMs)) {
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
  const { out, format = 'excel' } = values;
  const progress = await follow(server, number);
  if (out) await download(server, `/imei/download${toQuery({ ticket_number: number, format })}`, out);
  const { status, done, failed, total } = progress;
  // Otherwise standard output is the file.
  if (out !== '-') {
    const heads = ['ticket', 'status', 'done', 'failed', 'total'];
    print(values, progress, heads, [[number, status, done, failed, total]]);
  }
  if (status !== 'Completed') throw new Failure(`ticket ${number} was cancelled`);
}

async function check(server, { values, query, rest }) {
  const [file] = rest;
  if (rest.length !== 1) throw new UsageError('check takes one file');
  const content = await readInput(file);
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
  if (rest.length > 1 || rest[0] === '') throw new UsageError('devices takes one search');
  if (rest[0]) query.q = rest[0];
  const { out, format = 'excel' } = values;
  if (out) return download(server, `/devices/download${toQuery({ ...query, format })}`, out);
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

async function listTickets(server, { values, query }) {
  const list = await call(server, `/tickets/ticket-numbers${toQuery(query)}`);
  const heads = ['ticket_number', 'status', 'total', 'finished', 'date', 'file_name'];
  print(
    values,
    list,
    heads,
    list.data.map((ticket) => heads.map((name) => ticket[name])),
  );
}

/** Returns the number of the ticket that a command names. @throws UsageError */
function readNumber({ name, rest: [number, ...more] }) {
  if (more.length > 0 || !/^\d{1,15}$/.test(number ?? ''))
    throw new UsageError(`${name} takes the number of a ticket`);
  return number;
}

async function showTicket(server, parsed) {
  const progress = await call(server, `/tickets/progress?ticket_number=${readNumber(parsed)}`);
  if (parsed.values.json) printJson(progress);
  else process.stdout.write(`${describeProgress(progress)}\n`);
}

async function reportTicket(server, parsed) {
  await report(server, parsed.values, readNumber(parsed));
}

async function cancelTicket(server, parsed) {
  const number = readNumber(parsed);
  const answer = await cancel(server, number);
  if (parsed.values.json) printJson(answer);
  else process.stdout.write(`ticket ${number} is cancelled\n`);
}

/** Runs the command line. Returns the exit code. */
async function main(args) {
  try {
    const parsed = readCommand(args);
    if (parsed.values.help) process.stdout.write(help);
    else if (parsed.values.version) process.stdout.write(`${version}\n`);
    else if (commands[parsed.name].isLocal)
      await commands[parsed.name].run(parsed, { readServer, readRetry, print });
    else await commands[parsed.name].run(readServer(parsed.values), parsed);
    return 0;
  } catch (error) {
    tell(error.message);
    if (!(error instanceof UsageError)) return 1;
    tell('--help shows how to use it');
    return 2;
  }
}

/** Ignores that a reader of standard output closed it, such as `head`: the command and its exit code stay the same. */
function ignoreClosedReader(error) {
  if (error.code !== 'EPIPE') throw error;
}

process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') return;
  tell(`standard output cannot be written: ${error.message}`);
  process.exit(1);
});
process.exitCode = await main(process.argv.slice(2));
