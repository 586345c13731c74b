import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { inRoot, root } from './paths.mjs';

/** Returns the environment with the programs of node_modules first in PATH, as npm scripts have it. */
export function ownEnvironment() {
  return { ...process.env, PATH: `${inRoot('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}` };
}

/**
 * Runs a program to its end. Its output is shown only if it fails.
 * @returns {Promise<void>}
 */
function runQuietly(program, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(output.trim() || `it ended with ${code}`)),
    );
  });
}

/** Runs the npm that runs this script. */
export function runNpm(args) {
  const npm = process.env.npm_execpath;
  // Warnings of npm about its own configuration would look like this project's.
  const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
  if (npm?.endsWith('.js')) return runQuietly(process.execPath, [npm, ...args], env);
  return runQuietly('npm', args, env);
}
