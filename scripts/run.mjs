// What the project's commands (demo, start, worker, dev, test) begin with, in a fresh clone too: plain JavaScript for
// whatever Node the machine has (20.19 or newer). It makes everything ready, then runs the real thing on the
// project's own Node.
import { bringUpToDate, buildServer, buildWeb, compileTexts } from './run/build.mjs';
import { installPackages, requireOwnNode } from './run/install.mjs';
import { launch } from './run/launch.mjs';
import { alone } from './run/lock.mjs';
import { say } from './run/say.mjs';

const product = buildServer.made;
const commands = {
  demo: { module: product, args: ['demo'], needs: [compileTexts, buildServer, buildWeb] },
  start: { module: product, args: ['start'], needs: [compileTexts, buildServer, buildWeb] },
  worker: { module: product, args: ['worker'], needs: [compileTexts, buildServer] },
  'rotate-secrets': { module: product, args: ['rotate-secrets'], needs: [compileTexts, buildServer] },
  dev: { module: 'scripts/dev.ts', args: [], needs: [compileTexts, buildWeb] },
  test: { module: 'scripts/check.ts', args: [], needs: [compileTexts] },
};

const command = commands[process.argv[2] ?? ''];
if (!command) {
  say(`usage: node scripts/run.mjs ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
try {
  await alone(async () => {
    await installPackages();
    await requireOwnNode();
    for (const step of command.needs) await bringUpToDate(step);
  });
} catch (error) {
  say(error.message);
  process.exit(1);
}
launch(command.module, [...command.args, ...process.argv.slice(3)]);
