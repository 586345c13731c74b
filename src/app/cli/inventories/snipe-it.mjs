import { countMonths } from '../coverage.mjs';
import { Failure } from '../failures.mjs';
import { checkPage } from './check-page.mjs';

/** The most assets that Snipe-IT answers at once, unless it is configured otherwise. */
const atOnce = 500;
/** Custom fields of assets, by their names, that get the end of coverage and its status where they exist. */
const endField = 'Warranty end';
const statusField = 'Warranty status';
/** The value of an encrypted custom field for a token that may not read it. */
const hidden = 'ENCRYPTED';

/** Assets of Snipe-IT, by its API of version 1. */
export const snipeIt = {
  name: 'Snipe-IT',
  url: 'SNIPE_IT_URL',
  secrets: { token: 'SNIPE_IT_TOKEN' },
  heads: ['Asset number', 'Name', 'Model', 'Employee', 'Site', 'Company'],

  connect: ({ secrets }) => ({
    base: '/api/v1',
    authorize: () => ({ authorization: `Bearer ${secrets.token}`, accept: 'application/json' }),
    messageOf: (body) => toText(body?.messages ?? body?.message ?? body?.error),
  }),

  async *list(request, { serialField }) {
    let hasField = false;
    for (let offset = 0, total = 1; offset < total; ) {
      const page = await request(`/hardware?limit=${atOnce}&offset=${offset}&sort=id&order=asc`);
      // Refusals have the status 200.
      const refusal = toText(page?.messages);
      if (refusal) throw new Failure(`Snipe-IT: ${refusal}`);
      checkPage('Snipe-IT', page?.rows, page?.total);
      for (const row of page.rows) {
        const asset = describeAsset(row ?? {}, serialField);
        hasField ||= asset.serial !== undefined;
        yield asset;
      }
      // A server may be configured to answer fewer.
      offset += page.rows.length;
      total = page.rows.length === 0 ? 0 : page.total;
    }
    if (serialField !== undefined && !hasField)
      throw new Failure(`no asset has the custom field ${serialField}`);
  },

  /** Lists what differs, by the names of the API's fields. The warranty of Snipe-IT counts months from the purchase. */
  compare({ stored }, { end, purchased, status }) {
    const changes = {};
    const set = (field, before, after) => {
      if (before !== after) changes[field] = [before, after];
    };
    const start = stored.purchase_date ?? purchased;
    if (end !== null && start !== null && start < end) {
      set('purchase_date', stored.purchase_date, start);
      const months = countMonths(start, end);
      // Snipe-IT answers null for no months.
      if (months !== 0 || stored.warranty_months !== null)
        set('warranty_months', stored.warranty_months, months);
    }
    for (const [name, value] of [
      [endField, end],
      [statusField, status],
    ]) {
      const field = stored.custom[name];
      if (!field || value === null || field.value === hidden) continue;
      if (field.isDay && isShownAs(value, field.value, stored.days)) continue;
      set(field.field, field.value, value);
    }
    return changes;
  },

  async write(request, { id }, changes) {
    const body = Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after]));
    const answer = await request(`/hardware/${id}`, { method: 'PATCH', body });
    if (answer?.status !== 'success') throw new Failure(toText(answer?.messages) ?? 'the change was refused');
  },
};

function describeAsset(asset, serialField) {
  const custom = Object.fromEntries(
    Object.entries(asset.custom_fields ?? {}).map(([name, { field, value, field_format: format }]) => [
      decode(name),
      { field, value: dayOf(value) ?? decode(value), isDay: format === 'DATE' },
    ]),
  );
  const { assigned_to: holder } = asset;
  return {
    id: asset.id,
    serial: serialField === undefined ? decode(asset.serial) : custom[serialField]?.value,
    fields: [
      asset.asset_tag,
      asset.name,
      asset.model?.name,
      holder?.type === 'user' ? holder.name : '',
      (asset.location ?? asset.rtd_location)?.name,
      asset.company?.name,
    ].map(decode),
    stored: {
      purchase_date: dayOf(asset.purchase_date),
      // "24 months", in the language of the server.
      warranty_months: Number.parseInt(asset.warranty_months, 10) || null,
      custom,
      days: [asset.created_at, asset.updated_at, asset.purchase_date].filter((day) => day?.formatted),
    },
  };
}

/** The date formats that the settings of Snipe-IT offer. Custom fields with days are answered in the chosen one. */
const dateFormats = [
  (day) => day,
  (day) =>
    `${show(day, { weekday: 'short' })} ${show(day, { month: 'short', day: '2-digit' })}, ${day.slice(0, 4)}`,
  (day) => show(day, { month: 'short', day: 'numeric', year: 'numeric' }),
  (day) => `${day.slice(8)} ${show(day, { month: 'short' })}, ${day.slice(0, 4)}`,
  (day) => show(day, { month: '2-digit', day: '2-digit', year: 'numeric' }),
  (day) => show(day, { month: 'numeric', day: '2-digit', year: '2-digit' }),
  (day) => day.split('-').reverse().join('/'),
  (day) => day.split('-').reverse().join('.'),
  (day) => `${day.replaceAll('-', '.')}.`,
];

const show = (day, parts) => new Date(day).toLocaleDateString('en-US', { timeZone: 'UTC', ...parts });

/**
 * Returns whether the server shows a day as this text.
 * @param sampleDays days that it answers in both forms, which tell its format
 */
const isShownAs = (day, text, sampleDays) =>
  dateFormats.some(
    (format) =>
      format(day) === text &&
      sampleDays.every(({ date, datetime, formatted }) =>
        formatted.startsWith(format((date ?? datetime).slice(0, 10))),
      ),
  );

/** A day is `{ date, formatted }` or null. */
const dayOf = (value) => (typeof value?.date === 'string' ? value.date : null);

/** Snipe-IT answers texts with the entities of HTML. */
const decode = (text) =>
  String(text ?? '')
    .replace(/&#0?39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');

/** Messages are a text, or lists of texts by field. */
function toText(messages) {
  if (messages === undefined || messages === null || typeof messages === 'string')
    return messages ?? undefined;
  return Object.values(messages).flat().join(' ');
}
