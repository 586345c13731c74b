// A child process that is started before its environment is known (see `startEarly`). Until then it loads the imports of
// its module, which take most of its start.
import type { SupervisorMessage } from './child.ts';

const [module = '', imported = ''] = process.argv.slice(2);
// Ctrl-C reaches every process of a terminal. The supervisor decides when a child ends.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(1));
const environment = new Promise<NodeJS.ProcessEnv>((resolve) => {
  process.on('message', (message: SupervisorMessage) => {
    if (message.type === 'begin') resolve(message.env);
  });
});
await import(imported);
Object.assign(process.env, await environment);
await import(module);
