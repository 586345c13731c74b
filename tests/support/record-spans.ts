import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** The spans that ended since the start, as an SDK of an operator sees them. */
export type RecordedSpans = {
  ended(): ReadableSpan[];
  /** Returns the one span with this name. */
  named(name: string): ReadableSpan;
  stop(): void;
};

/** Loads an SDK that keeps spans in memory. Call `stop` in `after`. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  const ended = () => exporter.getFinishedSpans();
  return {
    ended,
    named(name) {
      const [span, ...more] = ended().filter((one) => one.name === name);
      if (!span || more.length > 0)
        throw new Error(`${more.length + (span ? 1 : 0)} spans are named ${name}`);
      return span;
    },
    stop() {
      trace.disable();
      context.disable();
    },
  };
}
