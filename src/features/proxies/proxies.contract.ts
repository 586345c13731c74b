import { z } from 'zod';
import { messageAnswer } from '#shared/answers.ts';
import { endpoint } from '#shared/endpoint.ts';

const proxySet = z.object({
  _id: z.string(),
  proxy_set: z.string(),
  status: z.enum(['Active', 'Inactive']),
  date: z.string(),
  expire_date: z.string(),
  proxies_count: z.int(),
  /** Like "29 days 23 hours"; null when Inactive. */
  remaining_time: z.string().nullable(),
  proxies: z.array(z.string()),
});
export type ProxySet = z.infer<typeof proxySet>;

export const uploadProxies = endpoint({
  method: 'POST',
  path: '/proxies/upload',
  access: 'superadmin',
  summary: 'Upload a .txt file with one IP:PORT a line as a new proxy set',
  file: 'file',
  status: 201,
  response: z.object({
    message: z.string(),
    data: z.object({
      proxy_set: z.string(),
      proxies_count: z.int(),
      expire_date: z.string(),
      sample_proxies: z.array(z.string()),
      rejected: z.array(z.object({ line: z.int(), reason: z.string() })),
      rejected_count: z.int(),
    }),
  }),
});

export const listProxySets = endpoint({
  method: 'GET',
  path: '/proxies/sets',
  access: 'superadmin',
  summary: 'All proxy sets, newest first, with counts',
  tagged: true,
  response: z.object({
    data: z.array(proxySet),
    summary: z.object({ total: z.int(), active: z.int(), inactive: z.int(), total_proxies: z.int() }),
  }),
});

export const deleteProxySet = endpoint({
  method: 'DELETE',
  path: '/proxies/{proxy_set}',
  access: 'superadmin',
  summary: 'Delete a proxy set',
  params: z.object({ proxy_set: z.string().min(1).max(40) }),
  response: messageAnswer,
});
