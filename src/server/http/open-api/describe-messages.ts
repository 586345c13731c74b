import { z } from 'zod';

/** The messages of webhooks, by their event. Each body is a named schema. */
export type Messages = Record<string, { summary: string; body: z.ZodType }>;

/** Where the named schemas of an OpenAPI document are. */
export const schemaPlace = '#/components/schemas/';

const messageHeaders: Record<string, string> = {
  'webhook-id': 'The same for every attempt of an event',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970',
  'webhook-signature': 'Signatures of Standard Webhooks, separated by spaces',
};

/** Describes messages as the `webhooks` of an OpenAPI document. */
export function describeMessages(messages: Messages) {
  const parameters = Object.entries(messageHeaders).map(([name, text]) => ({
    name,
    in: 'header',
    required: true,
    description: text,
    schema: { type: 'string' as const },
  }));
  const describeOne = ({ summary, body }: Messages[string]) => {
    const name = z.globalRegistry.get(body)?.id ?? '';
    return {
      operationId: `receive${name}`,
      summary,
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: schemaPlace + name } } },
      },
      responses: { '2XX': { description: 'Delivered. After any other status it is sent again.' } },
    };
  };
  return Object.fromEntries(
    Object.entries(messages).map(([event, one]) => [event, { post: describeOne(one) }]),
  );
}
