import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { waitFor } from '#tests/support/wait.ts';

// The scripts work on the checkout that contains them, so these tests copy them into a temporary one.
let checkout: string;
const notes = () => readFile(join(checkout, 'notes.txt'), 'utf8').catch(() => '');
const load = (name: string) => import(pathToFileURL(join(checkout, 'scripts/run', name)).href);

before(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'coverdesk-scripts-'));
  await cp(fileURLToPath(new URL('../../scripts/run', import.meta.url)), join(checkout, 'scripts/run'), {
    recursive: true,
  });
  // A fake npm: records its arguments, and creates the files that the script would create.
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

test('packages are installed when they are missing or outdated, and not again', async () => {
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

test('an artefact is built again only when its sources change or it is missing', async () => {
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

test('a failed build shows its output, and runs again the next time', async () => {
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

test('concurrent commands prepare one after the other, and a dead one does not block others', async () => {
  const { alone } = await load('lock.mjs');
  await mkdir(join(checkout, '.cache'), { recursive: true });
  // No process has this id.
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

/** Creates everything that `npm start` needs in the checkout. The product consists only of this main module. */
async function prepareStart(main: string): Promise<void> {
  await cp(
    fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url)),
    join(checkout, 'scripts/run.mjs'),
  );
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  const steps = { texts: 'node --version', build: 'node --version', 'build:server': 'node --version' };
  const manifest = { scripts: { ...scripts, ...steps } };
  await writeFile(join(checkout, 'package.json'), JSON.stringify(manifest));
  const lock = JSON.stringify({ packages: {} });
  await writeFile(join(checkout, 'package-lock.json'), lock);
  await mkdir(join(checkout, 'node_modules'), { recursive: true });
  await writeFile(join(checkout, 'node_modules/.package-lock.json'), lock);
  const { buildServer, buildWeb, compileTexts } = await load('build.mjs');
  for (const { made } of [buildServer, buildWeb, compileTexts]) {
    await mkdir(dirname(join(checkout, made)), { recursive: true });
    await writeFile(join(checkout, made), '');
  }
  await writeFile(join(checkout, buildServer.made), main);
}

test('an account that may only read the code runs what its owner has built, and is told what to do otherwise', async () => {
  const main = "console.log('the product runs');";
  await prepareStart(main);
  const run = async (command: string, uid?: number) => {
    const args = [join(checkout, 'scripts/run.mjs'), command];
    const env = { ...environment(), npm_execpath: join(checkout, 'npm.js') };
    const child = spawn(process.execPath, args, { env, stdio: 'pipe', ...(uid !== undefined && { uid }) });
    const output = collectOutput(child);
    return { code: (await once(child, 'close'))[0], text: output.text };
  };
  // The fake npm builds nothing, so the artefacts of `prepareStart` stay.
  assert.deepEqual(await run('build'), {
    code: 0,
    text: 'Compiling texts …\nBuilding the server …\nBuilding the web app …\n',
  });
  // Root may write everywhere, so it runs the command as an account without a name.
  const reader = process.getuid?.() === 0 ? 65_533 : undefined;
  await chmod(checkout, 0o555);
  await chmod(join(checkout, '.cache'), 0o555);
  try {
    assert.deepEqual(await run('start', reader), { code: 0, text: 'the product runs\n' });
    await appendFile(join(checkout, 'package.json'), '\n');
    const refused = await run('start', reader);
    assert.equal(refused.code, 1);
    assert.match(
      refused.text,
      /^This account may not write to .+: run npm run build there as its owner first\n$/,
    );
  } finally {
    await chmod(checkout, 0o755);
    await chmod(join(checkout, '.cache'), 0o755);
  }
});

const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('npm_lifecycle') && name !== 'npm_node_execpath',
    ),
  );

function collectOutput(child: ChildProcess): { text: string } {
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk;
    });
  }
  return output;
}

/** Runs `node scripts/run.mjs start` as on Linux, with npm on this Node. */
async function start(node: string): Promise<{ code: number; output: string }> {
  await prepareStart('console.log(`the product runs on ${process.argv0}`);');
  const fake = `Object.defineProperty(process, 'platform', { value: 'linux' })`;
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${fake}`, join(checkout, 'scripts/run.mjs'), 'start'],
    { env: { ...environment(), npm_node_execpath: node }, stdio: 'pipe' },
  );
  const output = collectOutput(child);
  const [code] = await once(child, 'close');
  return { code, output: output.text };
}

/** A fake installed Node: prints its version, and records that the product was started on it. */
async function makeNode(version: string): Promise<string> {
  const path = join(checkout, `node-${version}`);
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo v${version}; else echo "the product runs on $0"; fi\n`;
  await writeFile(path, script, { mode: 0o755 });
  return path;
}

test('an installed Node 24 or newer runs the product, although npm scripts find the packaged one first', async () => {
  const { output } = await start(await makeNode('26.1.0'));
  assert.match(output, /^the product runs on .*node-26\.1\.0$/m);
});

test('with an older Node on Linux the product runs on the packaged one, or the start says what to install', async () => {
  const node = await makeNode('20.19.5');
  const missing = await start(node);
  assert.match(missing.output, /^Coverdesk needs Node 24 or newer.* and this machine has 20\.19\.5: .*$/m);
  assert.equal(missing.code, 1);
  const packaged = join(checkout, `node_modules/node-linux-${process.arch}/bin/node`);
  await mkdir(dirname(packaged), { recursive: true });
  await symlink(process.execPath, packaged);
  const { output } = await start(node);
  assert.match(output, new RegExp(`^the product runs on ${packaged}$`, 'm'));
});

/** Runs `npm start` in the checkout. npm runs scripts with this shell, which gets `-c` and the script. */
async function startNpm(shell: string): Promise<{ npm: ChildProcess; output: { text: string } }> {
  await prepareStart(untilStopped);
  const path = join(checkout, 'shell.sh');
  await writeFile(path, `#!/bin/sh\necho $$ > ${checkout}/shell.pid\n${shell}\n`, { mode: 0o755 });
  const { npm_execpath: _, ...env } = environment();
  const npm = spawn('npm', ['start', `--script-shell=${path}`], {
    cwd: checkout,
    env,
    stdio: 'pipe',
    detached: true,
  });
  return { npm, output: collectOutput(npm) };
}

const untilStopped = `
  process.on('SIGINT', () => undefined);
  console.log('the product is ready');
  process.on('message', ({ type }) => {
    console.log('the product got the message ' + type);
    setTimeout(process.exit, 300);
  });
  process.on('disconnect', process.exit);`;
const shellInBetween = '$2\nexit $?';

test('npm start needs no POSIX shell', async () => {
  const { npm, output } = await startNpm('exec env -- $2');
  const closed = once(npm, 'close');
  await waitFor(
    'the product',
    async () => output.text.includes('the product is ready') || npm.exitCode !== null,
  );
  npm.kill('SIGTERM');
  await closed;
  assert.match(output.text, /^the product is ready$/m);
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.doesNotMatch(Object.values(scripts).join('\n'), /^(exec|export|source|test)\b/m);
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  for (const target of ['npm', 'the shell between npm and the product'] as const) {
    test(`${signal} to ${target} stops the product gracefully`, { timeout: 120_000 }, async () => {
      const { npm, output } = await startNpm(shellInBetween);
      const closed = once(npm, 'close');
      await waitFor('the product', async () => output.text.includes('the product is ready'));
      const pid = target === 'npm' ? npm.pid : Number(await readFile(join(checkout, 'shell.pid'), 'utf8'));
      process.kill(pid ?? 0, signal);
      await closed;
      assert.match(output.text, /^the product got the message stop$/m);
    });
  }
}

test('Ctrl-C in a terminal stops the product gracefully, and npm waits for it', {
  timeout: 120_000,
}, async () => {
  const { npm, output } = await startNpm(shellInBetween);
  const ended = once(npm, 'exit');
  await waitFor('the product', async () => output.text.includes('the product is ready'));
  process.kill(-(npm.pid ?? 0), 'SIGINT');
  await ended;
  assert.match(output.text, /^the product got the message stop$/m);
});

/** Starts the product of the checkout as npm does. It consists only of this main module. */
async function launchProduct(main: string, environment: NodeJS.ProcessEnv = {}): Promise<void> {
  const { buildServer } = await load('build.mjs');
  await mkdir(dirname(join(checkout, buildServer.made)), { recursive: true });
  await writeFile(join(checkout, buildServer.made), main);
  const script = pathToFileURL(join(checkout, 'scripts/run/launch.mjs')).href;
  const run = `import { launch } from ${JSON.stringify(script)}; launch(process.execPath, '${buildServer.made}', []);`;
  const { npm_lifecycle_event: _, NODE_COMPILE_CACHE: __, MALLOC_ARENA_MAX: ___, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', run], {
    env: { ...env, ...environment },
    stdio: 'inherit',
  });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
}

test('compiled code is cached for the next start', async () => {
  await launchProduct('export const started = true;');
  const kept = await readdir(join(checkout, '.cache/compiled'), { recursive: true, withFileTypes: true });
  assert.ok(kept.some((entry) => entry.isFile()));
});

test('the product limits malloc arenas unless the environment sets their number', async () => {
  const main = `if (process.env.MALLOC_ARENA_MAX !== process.env.EXPECTED) process.exit(3);`;
  await launchProduct(main, { EXPECTED: '2' });
  await launchProduct(main, { EXPECTED: '5', MALLOC_ARENA_MAX: '5' });
});
