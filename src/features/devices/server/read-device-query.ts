import { fill, invalidField } from '#server/http/errors/errors.ts';
import { groupFields } from '#shared/field-parameters.ts';
import { m } from '#shared/texts/messages.js';
import { type DeviceQuery, deviceQuery, listDevices } from '../devices.contract.ts';

/**
 * Parses a caller's query string of the list as the list does. In addition, it refuses unknown parameters, which the list
 * ignores: without a misspelt one, a filter would find more devices than the caller meant.
 * @param field the name of the field that has the query string
 * @throws AppError 400 naming the field and the parameter
 */
export function requireDeviceQuery(field: string, query: string): DeviceQuery {
  const refuse = (text: typeof m.server_query_unknown, name: string) =>
    invalidField(field, fill(text, { field, name }));
  const unknown = [...new URLSearchParams(query).keys()].find(
    (name) => !Object.hasOwn(listDevices.query.shape, Object.keys(groupFields({ [name]: '' }))[0] ?? ''),
  );
  if (unknown !== undefined) throw refuse(m.server_query_unknown, unknown);
  const parameters = listParameters(query);
  const names = parameters.map(([name]) => name);
  const repeated = names.find((name, place) => names.indexOf(name) < place);
  if (repeated !== undefined) throw refuse(m.server_query_repeated, repeated);
  // PostgreSQL cannot store NUL characters.
  const withNul = parameters.find(([, value]) => value.includes('\0'))?.[0];
  const issue = listDevices.query.safeParse(groupFields(Object.fromEntries(parameters))).error?.issues[0];
  const invalid = withNul ?? issue?.path.join('.');
  if (invalid !== undefined) throw refuse(m.server_query_invalid, invalid);
  return readDeviceQuery(query);
}

/**
 * Parses a stored query string. Earlier versions stored unknown and repeated parameters, too: the unknown ones are
 * ignored, and of repeated ones the last counts.
 */
export function readDeviceQuery(query: string): DeviceQuery {
  return deviceQuery.parse(groupFields(Object.fromEntries(listParameters(query))));
}

/** Lists the parameters of a query string. Empty ones count as absent, as in every call. */
function listParameters(query: string): [name: string, value: string][] {
  return [...new URLSearchParams(query)].filter(([, value]) => value !== '');
}
