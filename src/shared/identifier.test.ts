import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { computeCheckDigit, type InvalidReason, isHeader, readIdentifiers } from './identifier.ts';

const text = (value: string) => readIdentifiers({ text: value, numeric: false });
const number = (value: string) => readIdentifiers({ text: value, numeric: true });
const found = (...identifiers: [serial: string, kind: string][]) => ({
  kind: 'identifiers',
  identifiers: identifiers.map(([serial, kind]) => ({ serial, kind })),
});
const refused = (reason: InvalidReason) => ({ kind: 'invalid', reason });

describe('one identifier in a cell', () => {
  const valid: [cell: string, serial: string, kind: string][] = [
    ['490154203237518', '490154203237518', 'imei'],
    ['35-209900-176148-1', '352099001761481', 'imei'],
    ['356938030010004', '356938030010004', 'imei'],
    [' 356938030010244 ', '356938030010244', 'imei'],
    ['\u00a0356938030010251', '356938030010251', 'imei'],
    ['\u200b356938030010285\ufeff', '356938030010285', 'imei'],
    ['356938030010004\t\r\n', '356938030010004', 'imei'],
    ["'356938030010293", '356938030010293', 'imei'],
    ['\u2019356938030010293', '356938030010293', 'imei'],
    ['35-693803-001026-9', '356938030010269', 'imei'],
    ['35 - 693803 - 001026 - 9', '356938030010269', 'imei'],
    ['35\u2013693803\u2013001026\u20139', '356938030010269', 'imei'],
    ['356.938.030.010.269', '356938030010269', 'imei'],
    ['35693803/0010269', '356938030010269', 'imei'],
    ['356938 030010277', '356938030010277', 'imei'],
    [
      '\uff13\uff15\uff16\uff19\uff13\uff18\uff10\uff13\uff10\uff10\uff11\uff10\uff10\uff10\uff14',
      '356938030010004',
      'imei',
    ],
    ['356938030010004.0', '356938030010004', 'imei'],
    ['012345000000104', '012345000000104', 'imei'],
    ['35693803001000', '356938030010004', 'imei'],
    ['35-693803-001000', '356938030010004', 'imei'],
    ['35693803001000.0', '356938030010004', 'imei'],
    ['12345000000104', '123450000001049', 'imei'],
    ['3569380300100078', '356938030010004', 'imei'],
    ['3569380300100070', '356938030010004', 'imei'],
    ['a1000004abcdef', 'A1000004ABCDEF', 'meid'],
    ['ABCDEFABCDEFAB', 'ABCDEFABCDEFAB', 'meid'],
    ['12345678901E14', '12345678901E14', 'meid'],
    ['353901E14', '353901E14', 'serial'],
    ['dnqxk0abc123', 'DNQXK0ABC123', 'serial'],
    ['C02ABCD1', 'C02ABCD1', 'serial'],
    ['ABCDEFGHIJKLM1', 'ABCDEFGHIJKLM1', 'serial'],
    ['ABCDEF1/2GHIJKL', 'ABCDEF12GHIJKL', 'serial'],
  ];
  for (const [cell, serial, kind] of valid) {
    test(`text ${JSON.stringify(cell)} is ${serial}`, () => {
      assert.deepEqual(text(cell), found([serial, kind]));
    });
  }

  test('a number gets a lost leading zero back only when that makes a valid IMEI beginning 01', () => {
    assert.deepEqual(number('12345000000104'), found(['012345000000104', 'imei']));
    assert.deepEqual(number('12345000000105'), found(['123450000001056', 'imei']));
    assert.deepEqual(number('35693803001000'), found(['356938030010004', 'imei']));
  });

  test('a number of 16 digits keeps its meaning unless Excel rounded it', () => {
    assert.deepEqual(number('3569380300100078'), found(['356938030010004', 'imei']));
    assert.deepEqual(number('3569380300100070'), refused('rounded'));
  });
});

describe('cells without an identifier', () => {
  const reasons: [cell: string, reason: InvalidReason][] = [
    ['356938030010005', 'check_digit'],
    ['35-693803-001000-5', 'check_digit'],
    ['35693803/0010005', 'check_digit'],
    ['000000000000000', 'zeros'],
    ['00000000000000', 'zeros'],
    ['00000000', 'zeros'],
    ['001234567890121', 'zeros'],
    ['0012345678901234', 'zeros'],
    ['3.53901E+14', 'exponent'],
    ['3.53901E14', 'exponent'],
    ['3.53901e+014', 'exponent'],
    ['3,53901E+14', 'exponent'],
    ['353.901E+12', 'exponent'],
    ['35390E+10', 'exponent'],
    ["'3.53901E14", 'exponent'],
    ['8962011234567890123', 'iccid'],
    ['89620112345678901234', 'iccid'],
    ['8962 0112 3456 7890 123', 'iccid'],
    ['89049032000001000000012345678901', 'eid'],
    ['3569380O0010699', 'other'],
    ['\u0663\u0665\u0666\u0669\u0663\u0668\u0660\u0663\u0665\u0666\u0664\u0663\u0668\u0660\u0669', 'other'],
    ['356938030010400&', 'other'],
    ['<356938030010418>', 'other'],
    ['12345678', 'other'],
    ['1234567890123', 'other'],
    ['ABCDEFGH', 'other'],
    ['ABC1234', 'other'],
    ['ABCDEFGHIJKLMN1', 'other'],
    ['ABC-12345678', 'other'],
    ['__proto__', 'other'],
    ['=HYPERLINK("http://x","y")', 'other'],
    ['+1+1', 'other'],
    ['2026-11-21', 'other'],
    ['21/11/2026', 'other'],
    [',', 'other'],
    ['356938030010004 356938030010012', 'other'],
    ['356938030010004,', 'other'],
    [`${'356938030010004,'.repeat(2100)}356938030010004`, 'other'],
  ];
  for (const [cell, reason] of reasons) {
    test(`text ${JSON.stringify(cell.slice(0, 60))} is refused: ${reason}`, () => {
      assert.deepEqual(text(cell), refused(reason));
    });
  }

  test('numbers are never joined, completed or split by their signs', () => {
    assert.deepEqual(number('35693803001.0004'), refused('other'));
    assert.deepEqual(number('-356938030010004'), refused('other'));
    assert.deepEqual(number('8962011234567890123'), refused('iccid'));
    assert.deepEqual(number('353901000000000'), refused('check_digit'));
    assert.deepEqual(number('0'), refused('zeros'));
  });

  test('a number of 14 digits gets a zero in front only where an IMEI can begin with 01', () => {
    // With a zero in front its check digit would be right, but no IMEI begins with 03.
    assert.deepEqual(text('035693803001008'), found(['035693803001008', 'imei']));
    assert.deepEqual(number('35693803001008'), found(['356938030010087', 'imei']));
  });

  test('a cell of spaces and invisible characters is empty', () => {
    for (const cell of ['', ' ', '\u00a0\u200b\ufeff', '\n\n', "'", " ' "]) {
      assert.deepEqual(text(cell), { kind: 'empty' }, JSON.stringify(cell));
    }
  });
});

describe('several identifiers in a cell', () => {
  const both = found(['356938030010004', 'imei'], ['356938030010012', 'imei']);

  test('several identifiers in a cell are split at each separator, with line breaks and spaces around them', () => {
    for (const between of [',', ';', '|', '/', '\n', '\r\n', ', ', ' ; ', ',\n', '\n\n', '\u2028']) {
      assert.deepEqual(text(`356938030010004${between}356938030010012`), both, JSON.stringify(between));
    }
  });

  test('each of several identifiers may have its own dashes, slashes and apostrophe', () => {
    assert.deepEqual(text("35-693803-001000-4/'356938030010012"), both);
    assert.deepEqual(text('35693803/0010004; 35693803/0010012'), both);
    assert.deepEqual(text('356938030010004/356938030010012;C02ABCD1'), {
      kind: 'identifiers',
      identifiers: [...both.identifiers, { serial: 'C02ABCD1', kind: 'serial' }],
    });
  });

  test('several identifiers are refused together when one of them is not valid, with its reason', () => {
    assert.deepEqual(text('356938030010004,356938030010005'), refused('check_digit'));
    assert.deepEqual(text('356938030010004/356938030010005'), refused('check_digit'));
    assert.deepEqual(text('356938030010004;3.53901E+14'), refused('exponent'));
    assert.deepEqual(text('356938030010004;hello'), refused('other'));
  });
});

describe('header', () => {
  test('a text with two or more words of three letters each is a name, and one in groups stays a serial number', () => {
    for (const text of [
      ...[
        'Siti Nurhaliza 0',
        'SITI NUR 01',
        'Siti\tNur 01',
        'siti\u00A0nur 01',
        'Siti-Nur 01',
        'Budi/Ana 12345',
        'Siti Nurhaliza0',
        'Budi Santoso1',
        'budi ana 12 rina7',
      ],
    ]) {
      const reading = readIdentifiers({ text, numeric: false });
      assert.equal(reading.kind, 'invalid', text);
    }
    assert.deepEqual(readIdentifiers({ text: 'Siti Nurhaliza 0', numeric: false }), refused('name'));
    const list = readIdentifiers({ text: 'F17XK1ABC01, Siti Nurhaliza 0', numeric: false });
    assert.deepEqual(list, refused('name'));
    const groups = [
      ...[
        ['35 390110 001000 0'.replace('001000 0', '234567 7'), '353901102345677'],
        ['C39X Q1AB CD2E', 'C39XQ1ABCD2E'],
      ],
      ...[
        ['SN F17XK1ABC01', 'SNF17XK1ABC01'],
        ['ABC DE 12345', 'ABCDE12345'],
        ['A100 00AB CDEF 12', 'A10000ABCDEF12'],
        ['C39X Q1AB CDE2', 'C39XQ1ABCDE2'],
        ['DNQXK0 ABC123', 'DNQXK0ABC123'],
      ],
    ];
    for (const [text = '', serial] of groups) {
      const reading = readIdentifiers({ text, numeric: false });
      assert.equal(reading.kind === 'identifiers' && reading.identifiers[0]?.serial, serial, text);
    }
    const two = readIdentifiers({ text: 'ABC DE 12345 \n , GHI JK 67890', numeric: false });
    assert.equal(two.kind === 'identifiers' && two.identifiers.length, 2);
  });

  test('a first cell with a word apart from digits is a header, also one that could be a serial number', () => {
    for (const text of [
      'IMEI Slot 1',
      'Serial No 1',
      'Laporan 2026',
      'IMEI1 (nomor)',
      'No. IMEI 2',
      'IMEI-1',
      'Été 2026',
    ]) {
      assert.equal(isHeader({ text, numeric: false }), true, text);
    }
    for (const text of [
      'C39X Q1AB CD2E',
      '35 390110 234567 7',
      'F17XK1ABC01',
      'S/N 12345678',
      'IMEI1',
      'No 1',
    ]) {
      assert.equal(isHeader({ text, numeric: false }), false, text);
    }
  });

  test('a formula without a result is invalid, and no header', () => {
    const cell = { text: '=', numeric: false, noResult: true } as const;
    assert.deepEqual(readIdentifiers(cell), refused('no_result'));
    assert.equal(isHeader(cell), false);
  });

  test('a header is a first cell without identifier and digit', () => {
    for (const cell of ['IMEI', 'Nomor seri', 'Serial No.', '#N/A', '=HYPERLINK("http://x","y")']) {
      assert.equal(isHeader({ text: cell, numeric: false }), true, cell);
    }
    for (const cell of ['IMEI1', 'ABCDEFABCDEFAB', '\u0663\u0665\u0666', '356938030010005', ' ']) {
      assert.equal(isHeader({ text: cell, numeric: false }), false, cell);
    }
    assert.equal(isHeader({ text: '12', numeric: true }), false);
  });
});

describe('for any input', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
  const imei = digits(14)
    .filter((first14) => !first14.startsWith('00'))
    .map((first14) => first14 + computeCheckDigit(first14));
  const meid = fc.stringMatching(/^[0-9A-F]{14}$/).filter((value) => /[A-F]/.test(value));
  const serial = fc
    .stringMatching(/^[0-9A-Z]{8,14}$/)
    .filter((value) => /\d/.test(value) && /[A-Z]/.test(value) && !/^[0-9A-F]{14}$/.test(value));
  const identifier = fc.oneof(
    imei.map((value) => ({ serial: value, kind: 'imei' })),
    meid.map((value) => ({ serial: value, kind: 'meid' })),
    serial.map((value) => ({ serial: value, kind: 'serial' })),
  );
  const noise = fc.stringMatching(/^[ \u00a0\u200b\ufeff\t]{0,3}$/);

  test('an identifier with noise around it, in either case, reads as itself', () => {
    fc.assert(
      fc.property(identifier, noise, noise, fc.boolean(), (wanted, before, after, lower) => {
        const written = before + (lower ? wanted.serial.toLowerCase() : wanted.serial) + after;
        assert.deepEqual(text(written), { kind: 'identifiers', identifiers: [wanted] });
      }),
    );
  });

  test('only one check digit of the ten is right', () => {
    fc.assert(
      fc.property(imei, (right) => {
        const valid = [...'0123456789'].filter((d) => text(right.slice(0, 14) + d).kind === 'identifiers');
        assert.deepEqual(valid, [right[14]]);
      }),
    );
  });

  test('a valid IMEI reads the same as text and as a number, and with its version or without its check digit', () => {
    fc.assert(
      fc.property(imei, digits(1), fc.stringMatching(/^[1-9]$/), (value, first, last) => {
        const expected = found([value, 'imei']);
        assert.deepEqual(text(value), expected);
        if (!value.startsWith('0')) {
          assert.deepEqual(number(value), expected);
          assert.deepEqual(number(value.slice(0, 14) + first + last), expected);
        }
        assert.deepEqual(text(value.slice(0, 14)), expected);
        assert.deepEqual(text(value.slice(0, 14) + first + last), expected);
      }),
    );
  });

  test('a list of identifiers gives each of them, in order', () => {
    fc.assert(
      fc.property(
        fc.array(identifier, { minLength: 2, maxLength: 6 }),
        fc.constantFrom(',', ';', '|', '/', '\n', ' / ', ',\n'),
        (list, between) => {
          const reading = text(list.map((entry) => entry.serial).join(between));
          assert.deepEqual(reading, { kind: 'identifiers', identifiers: list });
        },
      ),
    );
  });

  test('what is read reads as itself again, and only has the agreed forms', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9A-Fa-f.,;/| \n'+-]{0,40}$/)),
        (cell) => {
          const reading = text(cell);
          if (reading.kind !== 'identifiers') return;
          for (const each of reading.identifiers) {
            assert.match(each.serial, /^(?:\d{15}|[0-9A-Z]{8,14})$/);
            assert.deepEqual(text(each.serial), { kind: 'identifiers', identifiers: [each] });
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
