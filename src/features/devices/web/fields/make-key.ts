import { maxKeyLength } from '#features/devices/fields.shared.ts';

/** Makes a key of a column's name, such as `asset_number` of "Asset number", that is not taken. */
export function makeKey(name: string, usedKeys: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '');
  const base = plain.slice(0, maxKeyLength) || 'field';
  for (let nth = 1; ; nth++) {
    const ending = nth === 1 ? '' : `_${nth}`;
    const key = base.slice(0, maxKeyLength - ending.length) + ending;
    if (!usedKeys.has(key)) return key;
  }
}
