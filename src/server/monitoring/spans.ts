import { type Attributes, type Span, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api';
import { productVersion } from '#server/runtime/version.ts';

// Does nothing unless an operator loads an SDK (docs/operating.md). No attribute may hold a serial number or a secret.
const tracer = trace.getTracer('coverdesk', productVersion);

/** Starts a span below the active one, or as the root of a trace. The caller ends it. */
export function startSpan(name: string, options?: SpanOptions): Span {
  return tracer.startSpan(name, options);
}

/** Runs work in a span, which is the parent of spans that start in it. A failure marks it, without its message. */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
