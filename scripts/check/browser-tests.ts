import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browsersFolder, chromiumShell, findChromium } from '#tests/support/browser/chromium.ts';
import { type Outcome, runProgram, type Step, type StepContext } from './step.ts';

/** The user stories in a real browser, against the built product. */
export const browserTests: Step = { title: 'Browser tests', run: runBrowserTests };

async function runBrowserTests(context: StepContext): Promise<Outcome> {
  if (!(await provideChromium(context))) {
    console.error(
      'There is no Chromium, and none could be installed: apt-get install chromium-headless-shell',
    );
    return { passed: 0, failed: 1 };
  }
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-stories-report-'));
  const report = join(folder, 'report.json');
  try {
    const ended = await runProgram('playwright', ['test', '--reporter=list,json'], context, {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    });
    const { stats, suites = [] } = JSON.parse(await readFile(report, 'utf8').catch(() => '{}')) as Report;
    for (const suite of suites) context.slowest.add(`tests/${suite.file}`, sumDurations(suite));
    const outcome = { passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0) };
    // A run that fails without a failed test counts as one failure.
    return ended || outcome.failed > 0 ? outcome : { ...outcome, failed: 1 };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The part of Playwright's JSON report that is read. */
type Report = {
  stats?: { expected: number; unexpected: number; flaky: number };
  suites?: Suite[];
};
type Suite = {
  file: string;
  specs?: { tests: { results: { duration: number }[] }[] }[];
  suites?: Suite[];
};

/** Returns the milliseconds that the tests of a suite took. */
function sumDurations({ specs = [], suites = [] }: Suite): number {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map((one) => one.duration)),
  );
  return [...own, ...suites.map(sumDurations)].reduce((sum, ms) => sum + ms, 0);
}

/** A browser from the system; on Debian root installs it; elsewhere Playwright's own, kept in the checkout. */
async function provideChromium(context: StepContext): Promise<boolean> {
  // The shell without windows is fetched even where the whole Chromium is: the stories take half the time in it.
  if (findChromium() !== chromiumShell && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium …');
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    spawnSync('apt-get', ['update', '-qq'], quiet);
    spawnSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'],
      quiet,
    );
  }
  if (findChromium()) return true;
  const env = { ...process.env, PLAYWRIGHT_BROWSERS_PATH: browsersFolder };
  return runProgram('playwright', ['install', '--only-shell', 'chromium'], context, env);
}
