// The cheapest conceivable import: finds the texts of column A by their bytes, and copies them into a table with a key.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openPromise } from 'yauzl';
import { sendUsage } from './run-peer.ts';

const [file = '', databaseUrl = ''] = process.argv.slice(2);
await sendUsage(scanAndCopy);

async function scanAndCopy(): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    'CREATE TABLE copied (ticket int, position int, serial text, PRIMARY KEY (ticket, position))',
  );
  await pipeline(Readable.from(listLines()), client.query(copyFrom('COPY copied FROM STDIN')));
  await client.query('DROP TABLE copied');
  await client.end();
}

/** Returns a line of COPY for each cell of column A, a piece of the sheet at a time. */
async function* listLines(): AsyncGenerator<string> {
  let row = 0;
  let rest = '';
  for await (const bytes of await readSheetPart()) {
    const text = rest + (bytes as Buffer).toString('latin1');
    let lines = '';
    let end = 0;
    for (let at = text.indexOf('<c r="A'); at >= 0; at = text.indexOf('<c r="A', end)) {
      const from = text.indexOf('<v>', at);
      const to = text.indexOf('</v>', at);
      if (from < 0 || to < 0) break;
      lines += `1\t${++row}\t${text.slice(from + 3, to)}\n`;
      end = to;
    }
    rest = text.slice(Math.max(end, text.length - 1000));
    yield lines;
  }
}

async function readSheetPart(): Promise<Readable> {
  const zip = await openPromise(file);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === 'xl/worksheets/sheet1.xml') return zip.openReadStreamPromise(entry);
  }
  throw new Error(`${file} has no sheet`);
}
