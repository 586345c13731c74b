import { z } from 'zod';
import { messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';

const setName = z.string().describe('Made by the server, as `set-YYYYMMDD-NN`');
const expireDate = z.string().describe('The instant from which the set is Inactive');

const proxySet = z
  .object({
    _id: z.string(),
    proxy_set: setName,
    status: z.enum(['Active', 'Inactive']),
    date: z.string().describe('The instant of the upload'),
    expire_date: expireDate,
    proxies_count: z.int(),
    remaining_time: z.string().nullable().describe('Like "29 days 23 hours"; null when Inactive'),
    proxies: z.array(z.string()).describe('As they were uploaded, with their passwords'),
  })
  .meta({ id: 'ProxySet' });
export type ProxySet = z.infer<typeof proxySet>;

export const uploadProxies = endpoint({
  route: 'POST /proxies/upload',
  access: 'superadmin',
  summary: 'Upload a list of proxies as a new proxy set',
  file: 'file',
  form: z.object({
    file: z.file().describe('UTF-8 text of at most 10 MB with one proxy (`IP:PORT` or a URL) per line'),
  }),
  status: 201,
  response: z
    .object({
      message: z.string(),
      data: z.object({
        proxy_set: setName,
        proxies_count: z.int(),
        expire_date: expireDate,
        sample_proxies: z.array(z.string()),
        rejected: z.array(z.object({ line: z.int(), reason: z.string() })),
        rejected_count: z.int(),
        duplicate_count: z.int().describe('Lines left out because an earlier line has the same proxy'),
      }),
    })
    .meta({ id: 'ProxyUpload' }),
  failures: [422],
});

export const listProxySets = endpoint({
  route: 'GET /proxies/sets',
  access: 'superadmin',
  summary: 'List all proxy sets, newest first, with counts',
  tagged: true,
  query: z.object({
    proxies: z.enum(['0', '1']).default('1').describe('0 leaves `proxies` empty, and reads no passwords'),
  }),
  response: z
    .object({
      data: z.array(proxySet),
      summary: z.object({ total: z.int(), active: z.int(), inactive: z.int(), total_proxies: z.int() }),
    })
    .meta({ id: 'ProxySetList' }),
});

export const deleteProxySet = endpoint({
  route: 'DELETE /proxies/{proxy_set}',
  access: 'superadmin',
  summary: 'Delete a proxy set',
  params: z.object({
    proxy_set: z
      .string()
      .min(1)
      .max(40)
      .meta({ description: 'The name of a set', examples: ['set-20261123-01'] }),
  }),
  response: messageAnswer,
  failures: [404],
});
