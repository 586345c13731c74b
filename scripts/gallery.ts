// Pictures of every screen and state, from the running product: both roles, light and dark, wide and narrow, into
// gallery/. Each is searched by axe; the command fails where something is found. `npm run gallery -- tracker` takes
// the scenes whose names contain "tracker"; `--docs` writes the pictures of docs/screens anew, too.
import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '#tests/e2e/support/chromium.ts';
import { type Folders, takeScene } from './gallery/camera.ts';
import type { Scene } from './gallery/scene.ts';
import { dataScenes } from './gallery/scenes-data.ts';
import { homeScenes } from './gallery/scenes-home.ts';
import { signedOutScenes } from './gallery/scenes-signed-out.ts';
import { superadminScenes } from './gallery/scenes-superadmin.ts';
import { uploadScenes } from './gallery/scenes-upload.ts';
import { type Cast, seed } from './gallery/seed.ts';
import { startProduct } from './gallery/stage.ts';

/** Calls a second while the product is filled, then while pictures are taken: the running ticket hardly moves. */
const seedPace = 400;
const picturePace = 2;
const pagesAtOnce = 2;
const longestScene = 240_000;

const names = process.argv.slice(2);
const writeDocs = names.includes('--docs');
const wanted = names.filter((name) => !name.startsWith('--'));
const folderOf = (name: string) => fileURLToPath(new URL(`../${name}/`, import.meta.url));
const folders: Folders = { gallery: folderOf('gallery'), docs: writeDocs ? folderOf('docs/screens') : null };

const scenes = [
  ...dataScenes,
  ...superadminScenes,
  ...homeScenes,
  ...uploadScenes,
  ...signedOutScenes,
].filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

await mkdir(folders.gallery, { recursive: true });
const product = await startProduct(seedPace);
try {
  console.log('Filling the product …');
  const cast = await seed();
  await product.restart(picturePace);
  const problems = await takeAll(scenes, cast);
  for (const problem of problems) console.log(problem);
  console.log(`\n${scenes.length} scenes in gallery/, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await product.stop();
}

/** One scene that hangs does not hold up the others. */
async function failLater(): Promise<never> {
  await delay(longestScene, undefined, { ref: false });
  throw new Error('took too long');
}

async function takeAll(all: Scene[], cast: Cast): Promise<string[]> {
  const executablePath = findChromium();
  const options = { args: chromiumArgs, ...(executablePath ? { executablePath } : {}) };
  const problems: string[] = [];
  const queue = all.values();
  const take = async () => {
    let browser = await chromium.launch(options);
    for (const scene of queue) {
      console.log(scene.name);
      if (!browser.isConnected()) browser = await chromium.launch(options);
      try {
        problems.push(...(await Promise.race([takeScene(browser, scene, cast, folders), failLater()])));
      } catch (error) {
        const [reason] = String(error instanceof Error ? error.message : error).split('\n');
        problems.push(`${scene.name}: ${reason}`);
      }
    }
    await browser.close();
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, take));
  return problems;
}
