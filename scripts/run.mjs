// The first part of every command (demo, start, worker, dev, test), in a fresh clone too: plain JavaScript for Node
// 20.19 or newer. It installs and builds what is missing, then starts the command on Node 24 or newer.
import { bringUpToDate, buildServer, buildWeb, compileTexts } from './run/build.mjs';
import { findNode } from './run/find-node.mjs';
import { installPackages } from './run/install.mjs';
import { launch } from './run/launch.mjs';
import { alone } from './run/lock.mjs';
import { say } from './run/say.mjs';

const product = buildServer.made;
const commands = {
  demo: { module: product, args: ['demo'], needs: [compileTexts, buildServer, buildWeb] },
  start: { module: product, args: ['start'], needs: [compileTexts, buildServer, buildWeb] },
  worker: { module: product, args: ['worker'], needs: [compileTexts, buildServer] },
  'rotate-secrets': { module: product, args: ['rotate-secrets'], needs: [compileTexts, buildServer] },
  admin: { module: product, args: ['admin'], needs: [compileTexts, buildServer] },
  backup: { module: product, args: ['backup'], needs: [compileTexts, buildServer] },
  restore: { module: product, args: ['restore'], needs: [compileTexts, buildServer] },
  dev: { module: 'scripts/dev.ts', args: [], needs: [compileTexts, buildWeb] },
  test: { module: 'scripts/check.ts', args: [], needs: [compileTexts] },
};

const command = commands[process.argv[2] ?? ''];
if (!command) {
  say(`usage: node scripts/run.mjs ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
let node;
try {
  node = findNode();
  await alone(async () => {
    await installPackages();
    node.check();
    for (const step of command.needs) await bringUpToDate(step);
  });
} catch (error) {
  say(error.message);
  process.exit(1);
}
launch(node.path, command.module, [...command.args, ...process.argv.slice(3)]);
