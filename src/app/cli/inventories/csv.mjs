import { countMonths } from '../coverage.mjs';
import { Failure } from '../failures.mjs';

const warrantyHeads = { end: 'Warranty end', months: 'Warranty months', status: 'Warranty status' };

/** The first line of an export for Excel, which names its separator. */
const namedSeparator = /^sep=([^"\r\n])(?:\r\n|\r|\n)/i;

/** An export as CSV (RFC 4180) with a head row, separated by commas, semicolons, tabs or what its `sep=` line names. */
export const csv = {
  name: 'the CSV file',

  /** @returns `heads` beside that of the serials, and `items`, as the other inventories have them */
  read(text, { serialField }) {
    const content = text.replace(/^\ufeff/, '');
    const named = namedSeparator.exec(content);
    const rows = content.slice(named?.[0].length ?? 0);
    const separator = named?.[1] ?? findSeparator(rows);
    const [{ cells: heads } = { cells: [] }, ...lines] = readRows(rows, separator, named ? 2 : 1);
    const place = heads.findIndex((head) =>
      serialField === undefined ? /^(serial|imei)/i.test(head.trim()) : head.trim() === serialField,
    );
    if (place < 0) throw new Failure('no column has the serials: name it with --serial-field');
    const surplus = lines.find(({ cells }) => cells.slice(heads.length).some((value) => value !== ''));
    if (surplus) throw new Failure(`row ${surplus.number} has more cells than the head row`);
    const others = heads.flatMap((_, column) => (column === place ? [] : [column]));
    return {
      separator,
      separatorLine: named ? `sep=${separator}\r\n` : '',
      columns: heads,
      heads: others.map((column) => heads[column]),
      items: lines.map(({ cells }) => ({
        serial: cells[place],
        cells,
        fields: others.map((column) => cells[column] ?? ''),
        stored: Object.fromEntries(
          Object.values(warrantyHeads).map((head) => [head, cells[heads.indexOf(head)] ?? '']),
        ),
      })),
    };
  },

  compare({ stored }, { start, end, purchased, status }) {
    const from = start ?? purchased;
    const target = {
      ...(end !== null && { [warrantyHeads.end]: end }),
      ...(end !== null &&
        from !== null &&
        from < end && { [warrantyHeads.months]: String(countMonths(from, end)) }),
      [warrantyHeads.status]: status,
    };
    return Object.fromEntries(
      Object.entries(target)
        .filter(([head, value]) => stored[head] !== value)
        .map(([head, value]) => [head, [stored[head], value]]),
    );
  },

  /** Writes the file again, with the changes of each item. */
  format({ separator, separatorLine, columns, items }, changesOf) {
    const all = [...columns, ...Object.values(warrantyHeads).filter((head) => !columns.includes(head))];
    const lines = items.map((item) => {
      const changes = changesOf(item);
      return all.map((head, column) => changes?.[head]?.[1] ?? item.cells[column] ?? '');
    });
    const quote = (value) =>
      /["\r\n]/.test(value) || value.includes(separator) ? `"${value.replace(/"/g, '""')}"` : value;
    const written = [all, ...lines].map((line) => `${line.map(quote).join(separator)}\r\n`);
    return `\ufeff${separatorLine}${written.join('')}`;
  },
};

/** Returns the separator that the head row has most outside quotes. */
function findSeparator(content) {
  const unquoted = content.replace(/(^|[,;\t\r\n])(?:"[^"]*")+/g, '$1');
  const [head = ''] = /[^\r\n]+/.exec(unquoted) ?? [];
  const [separator] = [',', ';', '\t'].toSorted(
    (one, other) => head.split(other).length - head.split(one).length,
  );
  return separator;
}

/**
 * Reads the rows of a text, except empty ones, with their numbers. LF, CRLF or CR ends a row.
 * @param number of the first row
 * @throws Failure for a quote that is not closed, or is closed before the end of its cell
 */
function* readRows(content, separator, number) {
  let cells = [];
  let value = '';
  let isQuoted = false;
  for (let at = 0; at <= content.length; at++) {
    const character = content[at];
    if (isQuoted) {
      if (character === undefined) throw new Failure(`row ${number} has a quote that is not closed`);
      if (character !== '"') value += character;
      else if (content[at + 1] === '"') value += content[++at];
      else if ([separator, '\n', '\r', undefined].includes(content[at + 1])) isQuoted = false;
      else throw new Failure(`row ${number} has text behind a quote that closes its cell`);
    } else if (character === '"' && value === '') isQuoted = true;
    else if (character === separator) {
      cells.push(value);
      value = '';
    } else if (character === undefined || character === '\n' || character === '\r') {
      if (character === '\r' && content[at + 1] === '\n') at++;
      cells.push(value);
      if (cells.length > 1 || cells[0] !== '') yield { number, cells };
      number++;
      cells = [];
      value = '';
    } else value += character;
  }
}
