import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

// The scripts work on the checkout that they lie in: these tests give them one of their own.
let checkout: string;
const notes = () => readFile(join(checkout, 'notes.txt'), 'utf8').catch(() => '');
const load = (name: string) => import(pathToFileURL(join(checkout, 'scripts/run', name)).href);

before(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'coverdesk-scripts-'));
  await cp(fileURLToPath(new URL('../scripts/run', import.meta.url)), join(checkout, 'scripts/run'), {
    recursive: true,
  });
  // Stands in for npm: notes what it was asked, and makes what the script would make.
  const npm = `
    const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
    appendFileSync('notes.txt', process.argv.slice(2).join(' ') + '\\n');
    if (process.argv.includes('ci')) {
      const folder = process.argv.includes('--prefix') ? process.argv[process.argv.indexOf('--prefix') + 1] : '.';
      mkdirSync(folder + '/node_modules', { recursive: true });
      const lock = require('node:fs').readFileSync(folder + '/package-lock.json');
      writeFileSync(folder + '/node_modules/.package-lock.json', lock);
    }
    if (process.argv.includes('fail')) { console.error('it broke'); process.exit(1); }
    mkdirSync('made', { recursive: true });
    writeFileSync('made/it.txt', '');`;
  await writeFile(join(checkout, 'npm.js'), npm);
  process.env.npm_execpath = join(checkout, 'npm.js');
  await mkdir(join(checkout, 'from'));
});
after(() => rm(checkout, { recursive: true }));

test('packages are installed when they are missing or others, and not again', async () => {
  const { installPackages } = await load('install.mjs');
  const lock = (version: string) => ({
    packages: {
      '': {},
      'node_modules/a': { version, integrity: `sha-${version}` },
      'node_modules/b': { version: '1.0.0', optional: true },
    },
  });
  await writeFile(join(checkout, 'package-lock.json'), JSON.stringify(lock('1.0.0')));
  await installPackages();
  await installPackages();
  assert.equal((await notes()).match(/^ci /gm)?.length, 1);
  await writeFile(join(checkout, 'package-lock.json'), JSON.stringify(lock('1.0.1')));
  await installPackages();
  assert.equal((await notes()).match(/^ci .*--include=dev/gm)?.length, 2);

  await mkdir(join(checkout, 'bench'));
  await writeFile(join(checkout, 'bench/package-lock.json'), JSON.stringify(lock('1.0.0')));
  await installPackages('bench');
  await installPackages('bench');
  assert.equal((await notes()).match(/^ci --prefix bench .*--include=dev/gm)?.length, 1);
});

test('a thing is made again exactly when its sources change or it is gone', async () => {
  const { bringUpToDate } = await load('build.mjs');
  const isSource = (path: string) => !path.endsWith('.test.ts');
  const thing = {
    name: 'thing',
    say: 'Making it …',
    script: 'make-it',
    made: 'made/it.txt',
    from: ['from'],
    isSource,
  };
  const runs = async () => (await notes()).match(/make-it/g)?.length ?? 0;
  await bringUpToDate(thing);
  await bringUpToDate(thing);
  assert.equal(await runs(), 1);
  await writeFile(join(checkout, 'from/a.test.ts'), 'no source');
  await bringUpToDate(thing);
  assert.equal(await runs(), 1);
  await writeFile(join(checkout, 'from/a.ts'), 'source');
  await bringUpToDate(thing);
  assert.equal(await runs(), 2);
  await rm(join(checkout, 'made/it.txt'));
  await bringUpToDate(thing);
  assert.equal(await runs(), 3);
});

test('what breaks says what it printed, and is made again the next time', async () => {
  const { bringUpToDate } = await load('build.mjs');
  const thing = {
    name: 'broken',
    say: 'Breaking it …',
    script: 'fail',
    made: 'made/it.txt',
    from: [],
    isSource: () => true,
  };
  for (let again = 0; again < 2; again++)
    await assert.rejects(bringUpToDate(thing), /npm run fail failed:\s+it broke/);
});

test('two commands at once prepare one after the other; a dead one holds nobody up', async () => {
  const { alone } = await load('lock.mjs');
  await mkdir(join(checkout, '.cache'), { recursive: true });
  // No process has this number.
  await writeFile(join(checkout, '.cache/setup.lock'), '4194305');
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise(setImmediate);
    order.push(`${name} ends`);
  };
  await Promise.all([alone(work('one')), alone(work('other'))]);
  assert.deepEqual(
    order.map((entry) => entry.split(' ')[1]),
    ['begins', 'ends', 'begins', 'ends'],
  );
});

test('the Node that npm fetched is run only when it is the pinned one, byte by byte', async () => {
  const own = JSON.parse(
    await readFile(new URL('../scripts/run/node-checksums.json', import.meta.url), 'utf8'),
  );
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  assert.equal(own.version, manifest.dependencies.node, 'the checksums are those of the pinned version');

  const { requireOwnNode } = await load('install.mjs');
  const platform = `${process.platform}-${process.arch}`;
  const program = join(checkout, 'node_modules/node/bin/node');
  const pin = (sha256: object) =>
    writeFile(
      join(checkout, 'scripts/run/node-checksums.json'),
      JSON.stringify({ version: '1.2.3', sha256 }),
    );
  // It says what is asked of it, and notes that it was run.
  const impostor = `#!/bin/sh\necho ran >> ${join(checkout, 'notes.txt')}\necho v1.2.3\n`;
  await writeFile(join(checkout, 'package.json'), JSON.stringify({ dependencies: { node: '1.2.3' } }));
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, impostor, { mode: 0o755 });

  await pin({ [platform]: createHash('sha256').update('the real one').digest('hex') });
  await assert.rejects(requireOwnNode(), /is not the Node 1\.2\.3 that Coverdesk was made with/);
  assert.doesNotMatch(await notes(), /^ran/m);
  assert.match(await notes(), /^rebuild node/m);
  await pin({});
  await assert.rejects(requireOwnNode(), /There is no checksum of Node 1\.2\.3 for /);
  await pin({ [platform]: createHash('sha256').update(impostor).digest('hex') });
  await requireOwnNode();
  await requireOwnNode();
  // Another one of the same size and, as it says, of the same time.
  const { atime, mtime } = await stat(program);
  await writeFile(program, impostor.replace('ran', 'RAN'));
  await utimes(program, atime, mtime);
  await assert.rejects(requireOwnNode(), /is not the Node 1\.2\.3 that Coverdesk was made with/);
  await rm(program);
  await assert.rejects(requireOwnNode(), /needs its own Node 1\.2\.3/);
});

/** Starts the product of the checkout as npm does, of which nothing is there but this main module. */
async function launchProduct(main: string, environment: NodeJS.ProcessEnv = {}): Promise<void> {
  const own = join(checkout, 'node_modules/node/bin');
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { recursive: true });
  const { ownNode } = await load('paths.mjs');
  await symlink(process.execPath, ownNode);
  const { buildServer } = await load('build.mjs');
  await mkdir(dirname(join(checkout, buildServer.made)), { recursive: true });
  await writeFile(join(checkout, buildServer.made), main);
  const script = pathToFileURL(join(checkout, 'scripts/run/launch.mjs')).href;
  const run = `import { launch } from ${JSON.stringify(script)}; launch('${buildServer.made}', []);`;
  const { npm_lifecycle_event: _, NODE_COMPILE_CACHE: __, MALLOC_ARENA_MAX: ___, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', run], {
    env: { ...env, ...environment },
    stdio: 'inherit',
  });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
}

test('what the product compiled is kept for its next start', async () => {
  await launchProduct('export const started = true;');
  const kept = await readdir(join(checkout, '.cache/compiled'), { recursive: true, withFileTypes: true });
  assert.ok(kept.some((entry) => entry.isFile()));
});

test('the product allocates from few arenas, unless the environment says of how many', async () => {
  const main = `if (process.env.MALLOC_ARENA_MAX !== process.env.EXPECTED) process.exit(3);`;
  await launchProduct(main, { EXPECTED: '2' });
  await launchProduct(main, { EXPECTED: '5', MALLOC_ARENA_MAX: '5' });
});
