import type { OpenedSource, SourceTools } from './source.ts';
import type { ConfiguredSource } from './sources-file.ts';

/** Sources that are opened at first use and stay open. */
export type OpenSources = { open(entry: ConfiguredSource): Promise<OpenedSource>; close(): Promise<void> };

export function createOpenSources(tools: SourceTools): OpenSources {
  const opened = new Map<string, Promise<OpenedSource>>();
  return {
    open(entry) {
      let source = opened.get(entry.name);
      if (!source) {
        source = entry.open(tools);
        opened.set(entry.name, source);
        // A source that could not be opened is tried again the next time.
        source.catch(() => opened.delete(entry.name));
      }
      return source;
    },
    async close() {
      const sources = await Promise.allSettled(opened.values());
      await Promise.all(
        sources.map((source) => (source.status === 'fulfilled' ? source.value.close() : undefined)),
      );
    },
  };
}
