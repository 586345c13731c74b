import { readFile } from 'node:fs/promises';

const relativeImport = /^import \{[^}]*\} from '(\.[^']+)';\n/gm;
const builtinImport = /^import \{ ([^}]+) \} from '(node:[^']+)';\n/gm;

/**
 * Joins a module and those that it imports into the text of one, in which each stands where it is first imported. No two of
 * them may have the same name at their top level.
 */
export function joinModules(entry: URL): Promise<string> {
  return join(entry, new Set());
}

/** @param joined the modules, and the names of Node's modules, that the text has already */
async function join(file: URL, joined: Set<string>): Promise<string> {
  if (joined.has(file.href)) return '';
  joined.add(file.href);
  const source = await readFile(file, 'utf8');
  // Every second part is the address of an imported module.
  const parts = source.split(relativeImport);
  let text = '';
  for (const [place, part] of parts.entries()) {
    text += place % 2 === 0 ? withoutRepeats(part, joined) : await join(new URL(part, file), joined);
  }
  return text;
}

const withoutRepeats = (text: string, joined: Set<string>): string =>
  text
    .replaceAll(builtinImport, (_, names: string, module: string) => {
      const missing = names.split(', ').filter((name) => !joined.has(`${name} ${module}`));
      for (const name of missing) joined.add(`${name} ${module}`);
      return missing.length === 0 ? '' : `import { ${missing.join(', ')} } from '${module}';\n`;
    })
    .replaceAll(/^export (?=async |function |const |class )/gm, '');
