import { countMonths } from '../coverage.mjs';
import { Failure } from '../failures.mjs';

const added = { end: 'Warranty end', months: 'Warranty months', status: 'Warranty status' };

/** An export as CSV (RFC 4180) with a head row, separated by commas, semicolons or tabs. */
export const csv = {
  name: 'the CSV file',

  /** @returns `heads` beside that of the serials, and `items`, as the other inventories have them */
  read(text, { serialField }) {
    const { separator, rows } = parse(text);
    const [heads = [], ...lines] = rows;
    const place = heads.findIndex((head) =>
      serialField === undefined ? /^(serial|imei)/i.test(head.trim()) : head.trim() === serialField,
    );
    if (place < 0) throw new Failure('no column has the serials: name it with --serial-field');
    const surplus = lines.findIndex((line) => line.slice(heads.length).some((value) => value !== ''));
    if (surplus >= 0) throw new Failure(`row ${surplus + 2} has more cells than the head row`);
    const others = heads.flatMap((_, column) => (column === place ? [] : [column]));
    return {
      separator,
      columns: heads,
      heads: others.map((column) => heads[column]),
      items: lines.map((line, index) => ({
        id: `line ${index + 2}`,
        serial: line[place],
        line,
        fields: others.map((column) => line[column] ?? ''),
        stored: Object.fromEntries(
          Object.values(added).map((head) => [head, line[heads.indexOf(head)] ?? '']),
        ),
      })),
    };
  },

  compare({ stored }, { start, end, purchased, status }) {
    const from = start ?? purchased;
    const wanted = {
      ...(end !== null && { [added.end]: end }),
      ...(end !== null && from !== null && from < end && { [added.months]: String(countMonths(from, end)) }),
      [added.status]: status,
    };
    return Object.fromEntries(
      Object.entries(wanted)
        .filter(([head, value]) => stored[head] !== value)
        .map(([head, value]) => [head, [stored[head], value]]),
    );
  },

  /** Writes the file again, with the changes of each item. */
  format({ separator, columns, items }, changesOf) {
    const all = [...columns, ...Object.values(added).filter((head) => !columns.includes(head))];
    const lines = items.map((item) => {
      const changes = changesOf(item);
      return all.map((head, column) => changes?.[head]?.[1] ?? item.line[column] ?? '');
    });
    const quote = (value) =>
      /["\r\n]/.test(value) || value.includes(separator) ? `"${value.replace(/"/g, '""')}"` : value;
    return `\ufeff${[all, ...lines].map((line) => `${line.map(quote).join(separator)}\r\n`).join('')}`;
  },
};

/** Reads the rows of a text. The separator is the one that the head row has most. */
function parse(text) {
  const content = text.replace(/^\ufeff/, '');
  const firstLine = content.split(/\r?\n/, 1)[0];
  const [separator] = [',', ';', '\t'].toSorted(
    (one, other) => firstLine.split(other).length - firstLine.split(one).length,
  );
  const rows = [];
  let row = [];
  let value = '';
  let quoted = false;
  const endRow = () => {
    row.push(value);
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    value = '';
  };
  for (let at = 0; at < content.length; at++) {
    const character = content[at];
    if (quoted) {
      if (character !== '"') value += character;
      else if (content[at + 1] === '"') value += content[++at];
      else quoted = false;
    } else if (character === '"' && value === '') quoted = true;
    else if (character === separator) {
      row.push(value);
      value = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') value += character;
  }
  endRow();
  return { separator, rows };
}
