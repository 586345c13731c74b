// The first part of every command (demo, start, worker, dev, test), in a fresh clone too: plain JavaScript for Node
// 20.19 or newer. It installs and builds what is missing, then starts the command on Node 24 or newer.
import { bringUpToDate, buildServer, buildWeb, compileTexts, isUpToDate } from './run/build.mjs';
import { findNode } from './run/find-node.mjs';
import { installPackages, isInstalled } from './run/install.mjs';
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
  'sources-check': { module: product, args: ['sources-check'], needs: [compileTexts, buildServer] },
  build: { needs: [compileTexts, buildServer, buildWeb] },
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
  // The service's account may be allowed to read the code alone, once its owner has built it.
  if (!isInstalled() || !command.needs.every(isUpToDate)) {
    await alone(async () => {
      await installPackages();
      node.check();
      for (const step of command.needs) await bringUpToDate(step);
    });
  }
  node.check();
} catch (error) {
  say(error.message);
  process.exit(1);
}
if (command.module) launch(node.path, command.module, [...command.args, ...process.argv.slice(3)]);
