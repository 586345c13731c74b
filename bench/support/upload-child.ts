// Uploads one workbook in a separate process, so that the measuring process is not busy with it.
import { readFile } from 'node:fs/promises';
import { uploadWorkbook } from '../../tests/support/product/client.ts';

const [url = '', token = '', file = ''] = process.argv.slice(2);
const content = new Uint8Array(await readFile(file));
process.send?.(await uploadWorkbook({ url, token }, content));
process.disconnect();
