import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { test } from 'node:test';

/** Imports a module and lists the files that it loads. A thread's own work fails at once without a task. */
const script = `
  import { registerHooks } from 'node:module';
  const needed = [];
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      needed.push(found.url);
      return found;
    },
  });
  await import(process.argv[1]).catch(() => undefined);
  process.stdout.write(needed.join(' '), () => process.exit());
`;
const root = new URL('../', import.meta.url);

for (const file of globSync('src/**/*.thread.ts', { cwd: root })) {
  test(`${file} starts without loading the schemas of endpoints`, () => {
    const needed = execFileSync(
      process.execPath,
      ['--input-type=module', '-e', script, new URL(file, root).href],
      { encoding: 'utf8', cwd: root },
    ).split(' ');
    assert.ok(needed.length > 20, needed.join('\n'));
    assert.deepEqual(
      needed.filter((url) => url.includes('/node_modules/zod/')),
      [],
    );
  });
}
