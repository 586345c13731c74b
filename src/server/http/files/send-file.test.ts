import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAttachment } from './send-file.ts';

test('the name of a file for download is plain, and encoded too where it is not ASCII', () => {
  assert.equal(describeAttachment('imei_1.xlsx'), 'attachment; filename="imei_1.xlsx"');
  assert.equal(
    describeAttachment('Daftar “HP” (Ä) 50%.xlsx'),
    'attachment; filename="Daftar _HP_ (_) 50_.xlsx"; ' +
      "filename*=UTF-8''Daftar%20%E2%80%9CHP%E2%80%9D%20%28%C3%84%29%2050%25.xlsx",
  );
  assert.equal(
    describeAttachment('a"\r\nb\ud800.xlsx'),
    'attachment; filename="a___b_.xlsx"; filename*=UTF-8\'\'a%22%0D%0Ab%EF%BF%BD.xlsx',
  );
});
