/** The product that the browser tests run against. */
export type Stage = { url: string; admin: { email: string; password: string }; dataDir: string };

const variable = 'COVERDESK_STORIES_STAGE';

/** Hands the stage to Playwright's worker processes, which inherit the environment. */
export function saveStage(stage: Stage): void {
  process.env[variable] = JSON.stringify(stage);
}

export function readStage(): Stage {
  const saved = process.env[variable];
  if (!saved) throw new Error('the product was not started: run the tests by `playwright test`');
  return JSON.parse(saved) as Stage;
}
