// A process under the supervisor that is started before its environment is known (`startEarly`): meanwhile it loads what
// its module will import, by far the most of its start.
import type { SupervisorMessage } from './child.ts';

const [module = '', imported = ''] = process.argv.slice(2);
// Ctrl-C reaches every process of a terminal; the supervisor alone decides what follows.
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
