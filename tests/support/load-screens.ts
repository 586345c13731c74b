import { registerHooks } from 'node:module';
import { transformSync } from '@swc/core';

/** Enables `import()` of screens (.tsx, with their styles), so that components can be rendered without a browser. */
export function loadScreens(): void {
  registerHooks({
    load(url, context, next) {
      if (url.endsWith('.css')) return { format: 'module', source: 'export default {};', shortCircuit: true };
      if (!url.endsWith('.tsx')) return next(url, context);
      const { source } = next(url, { ...context, format: 'module' });
      const { code } = transformSync(String(source), {
        filename: url,
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'esnext',
          transform: { react: { runtime: 'automatic' } },
        },
      });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}
