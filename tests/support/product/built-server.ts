import { bringUpToDate, buildServer, compileTexts } from '../../../scripts/run/build.mjs';
import { alone } from '../../../scripts/run/lock.mjs';
import { inRoot } from '../../../scripts/run/paths.mjs';

let building: Promise<void> | undefined;

/**
 * Builds the server from the current sources unless it is built.
 * @param file the name of a built file, such as `worker-process.js`
 * @returns its path
 */
export async function findBuilt(file: string): Promise<string> {
  building ??= alone(async () => {
    for (const thing of [compileTexts, buildServer]) await bringUpToDate(thing);
  });
  await building;
  return inRoot('dist-server', file);
}
