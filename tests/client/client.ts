// Stands for another program: its client has the types that `generateTypes` makes from the API's description.
import createClient from 'openapi-fetch';
import type { components, paths } from '../../node_modules/.cache/coverdesk-client/paths.ts';

type Schemas = components['schemas'];

/** Signs in, uploads a sheet, waits until its ticket is Completed, and downloads the results. */
export async function uploadAndDownload(baseUrl: string, user: Schemas['SignInInput'], sheet: Blob) {
  const api = createClient<paths>({ baseUrl });
  const { token } = successOf(await api.POST('/api/auth/login', { body: user }));
  api.use({
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${token}`);
    },
  });
  const refused = await api.GET('/api/clients');

  const form = new FormData();
  form.set('excel', sheet, 'devices.xlsx');
  // The type of a file is a string: what is sent is the form.
  const upload = { body: { excel: '' }, bodySerializer: () => form };
  const { ticket } = successOf(await api.POST('/api/data/upload', upload));

  const query = { ticket_number: ticket.ticket_number };
  let progress: Schemas['Progress'];
  do {
    await new Promise((resolve) => setTimeout(resolve, 200));
    progress = successOf(await api.GET('/api/tickets/progress', { params: { query } }));
  } while (progress.status !== 'Completed');

  const { data: rows } = successOf(await api.GET('/api/imei', { params: { query } }));
  const download = await api.GET('/api/imei/download', { params: { query }, parseAs: 'blob' });
  return { refusal: refused.error?.code, progress, rows, workbook: successOf(download) };
}

function successOf<T>({ data, error }: { data?: T; error?: Schemas['Error'] }): T {
  if (data === undefined) throw new Error(error?.message ?? 'an answer without a body');
  return data;
}
