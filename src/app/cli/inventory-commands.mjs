import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { call } from './calls.mjs';
import { comparable, describeCoverage } from './coverage.mjs';
import { Failure, hideSecret, ServerGone, tell, UsageError, withoutControls } from './failures.mjs';
import { csv } from './inventories/csv.mjs';
import { glpi } from './inventories/glpi.mjs';
import { jamf } from './inventories/jamf.mjs';
import { snipeIt } from './inventories/snipe-it.mjs';
import { readAddress } from './read-address.mjs';
import { readInput } from './read-input.mjs';
import { makeSheet } from './sheet.mjs';
import { writeFileAt } from './write-file-at.mjs';

const inventories = { 'snipe-it': snipeIt, glpi, jamf };

/**
 * The commands `pull` and `push`, for the list of all commands.
 * @param text, flag the types of options
 */
export function listInventoryCommands(text, flag) {
  const commands = {};
  for (const name of [...Object.keys(inventories), 'csv']) {
    const serialField = ['snipe-it', 'csv'].includes(name) ? { 'serial-field': text } : {};
    commands[`pull ${name}`] = { run: pull, isLocal: true, options: { out: text, ...serialField } };
    commands[`push ${name}`] = {
      run: push,
      isLocal: true,
      options: { 'dry-run': flag, ...serialField, ...(name === 'csv' && { out: text }) },
      parameters: { ticket: 'ticket_number', company: 'company_code' },
    };
  }
  return commands;
}

/** Makes an Excel file of the serials and fields of an inventory. */
async function pull({ name, values, rest }, tools) {
  const useless = ['json', 'token', ...(name === 'pull csv' ? ['url'] : [])];
  for (const option of useless)
    if (values[option] !== undefined) throw new UsageError(`${name} takes no option --${option}`);
  const out = values.out ?? requireFree(`${name.split(' ')[1]}.xlsx`);
  await withInventory(name, values, rest, tools, async ({ heads, list }) => {
    const rows = [];
    let without = 0;
    for await (const { serial, fields } of list()) {
      if (comparable(serial) === '') without += 1;
      else rows.push([serial, ...fields]);
    }
    await writeOut(out, makeSheet(['Serial', ...heads], rows));
    tell(`${rows.length} devices, ${without} without a serial left out`);
  });
}

/** Returns the default name of a file. @throws Failure if the file exists */
function requireFree(file) {
  if (existsSync(file)) throw new Failure(`${file} exists already: name the file by --out`);
  return file;
}

/** Returns the file for the updated copy of the CSV file `file`. @throws UsageError, Failure */
function nameUpdated(file, { json }) {
  if (file !== '-') return requireFree(`${file.replace(/\.csv$/i, '')}.updated.csv`);
  if (json) throw new UsageError('--json and the file cannot share standard output: name the file by --out');
  return '-';
}

/** Writes the coverage of the register into an inventory, where it differs. */
async function push({ name, values, query, rest }, tools) {
  if (values.out && values['dry-run']) throw new UsageError('--dry-run writes no file: leave out --out');
  const { COVERDESK_URL: url } = process.env;
  if (name !== 'push csv' && !url)
    throw new UsageError('COVERDESK_URL is needed: --url is that of the inventory');
  const server = tools.readServer(name === 'push csv' ? values : { ...values, url });
  const isWritten = name === 'push csv' && rest.length === 1 && !values['dry-run'];
  const out = isWritten ? (values.out ?? nameUpdated(rest[0], values)) : undefined;
  await withInventory(name, { ...values, out }, rest, tools, async ({ list, compare, write, finish }) => {
    const coverages = await readCoverages(server, query);
    const lines = [];
    const counts = { changed: 0, same: 0, unknown: 0, without: 0, failed: 0 };
    const writeItem = async (item) => {
      const serial = comparable(item.serial);
      const coverage = coverages.get(serial);
      const changes = coverage ? compare(item, coverage) : {};
      if (serial === '') counts.without += 1;
      else if (!coverage) counts.unknown += 1;
      else if (Object.keys(changes).length === 0) counts.same += 1;
      else {
        try {
          if (!values['dry-run']) await write(item, changes);
          counts.changed += 1;
          for (const [field, [before, after]] of Object.entries(changes))
            lines.push({ serial: item.serial, field, before, after });
        } catch (error) {
          // Each further device would be tried as long again.
          if (!(error instanceof Failure) || error instanceof ServerGone) throw error;
          counts.failed += 1;
          tell(`${withoutControls(item.serial)}: ${error.message}`);
        }
      }
    };
    const reportChanges = () => {
      const heads = ['serial', 'field', 'before', 'after'];
      const cells = lines.map((line) => heads.map((head) => line[head]));
      // Otherwise standard output is the file.
      if (out !== '-') tools.print(values, lines, heads, cells);
      const done = values['dry-run'] ? 'to be changed' : 'changed';
      tell(
        `${counts.changed} devices ${done}, ${counts.same} as they were, ${counts.unknown} not in the register, ` +
          `${counts.without} without a serial`,
      );
    };
    try {
      for await (const item of list()) await writeItem(item);
    } catch (error) {
      // The devices that were written stay so. Without any, a list would look like nothing to change.
      if (Object.values(counts).some((count) => count > 0)) reportChanges();
      throw error;
    }
    if (!values['dry-run']) await finish();
    reportChanges();
    if (counts.failed > 0) throw new Failure(`${counts.failed} devices could not be written`);
  });
}

const coveragesAtOnce = 1000;

/**
 * Reads the coverage of the register's devices, by their serials.
 * @throws UsageError for devices of several companies
 * @throws Failure if a named ticket or company has no devices: its name may be wrong
 */
async function readCoverages(server, query) {
  const coverages = new Map();
  const companies = new Set();
  for (let page = 1, isMore = true; isMore; page++) {
    const parameters = new URLSearchParams({ ...query, page, limit: coveragesAtOnce });
    const { data, pagination } = await call(server, `/devices?${parameters}`);
    for (const device of data) {
      companies.add(device.company_code);
      coverages.set(comparable(device.serial_number), describeCoverage(device));
    }
    // Each may have the same serial.
    if (companies.size > 1)
      throw new UsageError(`the register has devices of ${[...companies].join(', ')}: name one by --company`);
    isMore = pagination.hasNextPage;
  }
  if (coverages.size === 0 && Object.keys(query).length > 0)
    throw new Failure('the register has no devices of that ticket or company');
  return coverages;
}

/**
 * Opens an inventory for some work, and closes it afterwards.
 * @param work gets `heads`, the names of the fields beside the serial; `list`, which reads the items; `compare`, what differs
 * of an item; `write`, which writes that; and `finish`
 */
async function withInventory(name, values, rest, tools, work) {
  const system = name.split(' ')[1];
  const options = { serialField: values['serial-field'] };
  if (system === 'csv') return withCsv(values, rest, options, work);
  if (rest.length > 0) throw new UsageError(`${name} takes no file`);
  const inventory = inventories[system];
  const server = openServer(inventory, values, tools);
  const request = (path, { body, ...more } = {}) =>
    call(server, path, {
      ...more,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  await server.open?.(request);
  try {
    await work({
      heads: inventory.heads,
      list: () => inventory.list(request, options),
      compare: inventory.compare,
      write: (item, changes) => inventory.write(request, item, changes),
      finish: async () => undefined,
    });
  } finally {
    // The session ends by itself, too, so a server that went away is not waited for again.
    server.retryMs = 0;
    await server.close?.(request)?.catch(() => undefined);
  }
}

/** Describes the server of an inventory for calls. @throws UsageError without its address or a secret that it needs */
function openServer(inventory, { url = process.env[inventory.url], insecure = false, retry }, { readRetry }) {
  if (!url) throw new UsageError(`--url or ${inventory.url} is needed`);
  const address = readAddress(url, insecure);
  const secrets = {};
  for (const [key, variable] of Object.entries({ ...inventory.secrets, ...inventory.optionalSecrets })) {
    const secret = process.env[variable];
    if (!secret && key in inventory.secrets) throw new UsageError(`${variable} is needed`);
    if (!secret) continue;
    hideSecret(secret);
    if (!/^[\x21-\x7e]+$/.test(secret))
      throw new UsageError(`${variable} has characters that it cannot have`);
    secrets[key] = secret;
  }
  const server = {
    name: inventory.name,
    authorize: () => ({}),
    retryMs: readRetry(retry),
    wasReached: false,
  };
  const signIn = (path, more) => call({ ...server, authorize: () => ({}) }, path, more);
  const connection = inventory.connect({ secrets, url: address, signIn });
  return Object.assign(server, connection, { base: `${address}${connection.base}` });
}

async function withCsv(values, rest, options, work) {
  const [file] = rest;
  if (rest.length !== 1) throw new UsageError('csv takes one file');
  const bytes = await readInput(file);
  const table = csv.read(decodeUtf8(bytes, file), options);
  const changed = new Map();
  await work({
    heads: table.heads,
    list: () => table.items,
    compare: csv.compare,
    write: async (item, changes) => changed.set(item, changes),
    finish: () =>
      writeOut(
        values.out,
        csv.format(table, (item) => changed.get(item)),
      ),
  });
}

/** @throws Failure for bytes that are not UTF-8: writing them back would lose characters */
function decodeUtf8(bytes, file) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure(`${file} is not UTF-8: save it as "CSV UTF-8"`);
  }
}

/** Writes a file or standard output. */
async function writeOut(out, content) {
  if (out === '-') return void process.stdout.write(content);
  await writeFileAt(out, (path) => writeFile(path, content));
  tell(`${out} is written`);
}
