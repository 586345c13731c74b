import { type Form, forms, headStyle, styleOf, type Tone, tones } from './cell.ts';

/** Built-in number formats, which readers localise, except money. */
const formats: Record<Form, number> = { plain: 0, day: 14, instant: 22, money: 3, text: 49 };

/** Text and background colour of each tone, with enough contrast to read without colours. */
const colours: Record<Tone, [letters: string, ground: string] | null> = {
  none: null,
  good: ['FF1B6B3A', 'FFE7F5EC'],
  soon: ['FF8A4B00', 'FFFFF1DC'],
  bad: ['FFA61B1B', 'FFFDE8E8'],
  quiet: ['FF4B5563', 'FFF1F3F5'],
};

/** Writes the styles of every workbook: each form in each tone, and the head. */
export function writeStyles(): string {
  const font = (more: string) => `<font>${more}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`;
  const fonts = tones.map((tone) => {
    const colour = colours[tone];
    return font('').replace('<name', colour ? `<color rgb="${colour[0]}"/><name` : '<name');
  });
  const fills = tones.map((tone) => {
    const colour = colours[tone];
    return colour
      ? `<fill><patternFill patternType="solid"><fgColor rgb="${colour[1]}"/></patternFill></fill>`
      : '<fill><patternFill patternType="none"/></fill>';
  });
  // Readers reserve the second fill.
  const [none = '', ...others] = fills;
  const allFills = [none, '<fill><patternFill patternType="gray125"/></fill>', ...others];
  const styles: string[] = [];
  for (const form of forms) {
    for (const [nth, tone] of tones.entries()) {
      const fill = nth === 0 ? 0 : nth + 1;
      styles[styleOf(form, tone)] =
        `<xf numFmtId="${formats[form]}" fontId="${nth}" fillId="${fill}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`;
    }
  }
  styles[headStyle] =
    `<xf numFmtId="0" fontId="${tones.length}" fillId="0" borderId="0" xfId="0" applyFont="1"/>`;
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    list('fonts', [...fonts, font('<b/>')]),
    list('fills', allFills),
    list('borders', ['<border><left/><right/><top/><bottom/><diagonal/></border>']),
    list('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
    list('cellXfs', styles),
    list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
    '</styleSheet>',
  ].join('');
}

function list(name: string, items: string[]): string {
  return `<${name} count="${items.length}">${items.join('')}</${name}>`;
}
