// Checks that style sheets and components name the same classes, and that none of them is global.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { projectFile, readProjectFile } from './support/cited-files.ts';

const list = (pattern: string) => globSync(pattern, { cwd: projectFile('') }).sort();
const components = list('src/**/*.{ts,tsx}')
  .filter((file) => !file.startsWith('src/shared/texts/') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readProjectFile(file) }));
const sheets = list('src/**/*.css');
const modules = sheets.filter((sheet) => sheet.endsWith('.module.css'));

/** Returns the classes of a sheet's selectors, without those of Mantine and those in `:global(…)`. */
function readClasses(sheet: string): Set<string> {
  const text = readProjectFile(sheet).replaceAll(/\/\*.*?\*\//gs, '');
  const selectors = [...text.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector.trim());
  const own = selectors.filter((selector) => !selector.startsWith('@'));
  const classes = own.flatMap((selector) =>
    [...selector.replaceAll(/:global\([^)]*\)/g, '').matchAll(/\.([a-zA-Z][\w-]*)/g)].map(
      ([, name = '']) => name,
    ),
  );
  return new Set(classes.filter((name) => !name.startsWith('mantine-')));
}

/** Returns the names that components read from a module; of `styles[name]`, the quoted words of the component count. */
function readUses(sheet: string): { named: Set<string>; possible: Set<string> } {
  const named = new Set<string>();
  const possible = new Set<string>();
  for (const { text } of components) {
    const imported = new RegExp(`import (\\w+) from '[^']*/${basename(sheet)}'`).exec(text);
    if (!imported) continue;
    for (const [, name = ''] of text.matchAll(new RegExp(`(?<![-/])\\b${imported[1]}\\.(\\w+)`, 'g')))
      named.add(name);
    if (!text.includes(`${imported[1]}[`)) continue;
    for (const [, word = ''] of text.matchAll(/'(\w+)'/g)) possible.add(word);
  }
  return { named, possible };
}

test('components use every class of a CSS module, and no class that the module lacks', () => {
  assert.ok(modules.length > 30);
  const faults = modules.flatMap((sheet) => {
    const classes = readClasses(sheet);
    const { named, possible } = readUses(sheet);
    const unused = [...classes].filter((name) => !named.has(name) && !possible.has(name));
    const undefinedNames = [...named].filter((name) => !classes.has(name));
    return [
      ...unused.map((name) => `${sheet}: nobody uses .${name}`),
      ...undefinedNames.map((name) => `${sheet}: lacks .${name}`),
    ];
  });
  assert.deepEqual(faults, []);
});

test('no code looks for an element by a class of a CSS module, whose name changes with each build', () => {
  const faults = components.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:querySelector(?:All)?(?:<\w+>)?|closest|matches)\('([^']*)'/g)]
      .flatMap(([, selector = '']) =>
        [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name),
      )
      .filter((name) => !name.startsWith('mantine-'))
      .map((name) => `${file}: .${name}`),
  );
  assert.deepEqual(faults, []);
});

test('no class is global but those of Mantine', () => {
  const faults = sheets.flatMap((sheet) => {
    const named = modules.includes(sheet)
      ? [...readProjectFile(sheet).matchAll(/:global\(\.([\w-]+)/g)].map(([, name = '']) => name)
      : [...readClasses(sheet)];
    return named.filter((name) => !name.startsWith('mantine-')).map((name) => `${sheet}: .${name}`);
  });
  assert.deepEqual(faults, []);
});

test('every rule of a CSS module names a class of the module', () => {
  const faults = modules.flatMap((sheet) => {
    const text = readProjectFile(sheet).replaceAll(/\/\*.*?\*\//gs, '');
    const rules = [...text.matchAll(/([^{};]+)\{/g)].map(([, selectors = '']) => selectors.trim());
    return rules
      .filter((selectors) => !selectors.startsWith('@') && !/^(?:from|to|\d+%)/.test(selectors))
      .flatMap((selectors) => selectors.replaceAll(/:global\([^)]*\)/g, '').split(/,(?![^(]*\))/))
      .filter((selector) => !/\.[a-zA-Z]/.test(selector))
      .map((selector) => `${sheet}: ${selector.trim()}`);
  });
  assert.deepEqual(faults, []);
});
