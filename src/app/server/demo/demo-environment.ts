/** The demo has its own folder and the embedded database, and logs only problems. */
export const demoEnvironment: NodeJS.ProcessEnv = {
  DATA_DIR: process.env.DATA_DIR || './data/demo',
  DATABASE_URL: '',
  DATABASE_DIRECT_URL: '',
  DATABASE_READ_URL: '',
  LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
};
