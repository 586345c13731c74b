import { uploadWorkbook } from '../../tests/support/product/client.ts';
import { workbookParts, zip } from '../../tests/support/sheets/make-workbook.ts';
import type { Stage } from '../support/stage.ts';

/** Uploads a small workbook with a huge table of shared texts, which has to be refused. */
export async function measure({ products, figures, rounds }: Stage): Promise<void> {
  const texts = Array.from({ length: 1000 }, (_, n) => `<si><t>${n}</t></si>`).join('');
  const strings = texts.repeat(Math.ceil(320_000_000 / texts.length));
  const row = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>';
  const workbook = new Uint8Array(zip(workbookParts(row, strings), 6));
  for (let round = 0; round < rounds; round++) {
    for (const product of await products()) {
      const { seconds } = await product.use(() => expectRefusal(uploadWorkbook(product.user, workbook)));
      figures.add('refusal of 320 MB of texts in 3 MB', product.contender, seconds);
    }
  }
}

async function expectRefusal(upload: Promise<unknown>): Promise<void> {
  const answer = await upload.catch((error: Error) => error.message);
  if (!/^upload: 4\d\d /.test(String(answer))) throw new Error(`not refused: ${answer}`);
}
