const family = '"Inter Variable", "Inter Fallback", sans-serif';
const serial = 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace';
const sizes = { text: 13, badge: 12, marked: 13, serial: 13 };
const fonts = {
  text: `${sizes.text}px ${family}`,
  badge: `550 ${sizes.badge}px ${family}`,
  marked: `550 ${sizes.marked}px ${family}`,
  serial: `${sizes.serial}px ${serial}`,
};
/**
 * Padding of a cell, and a pixel for what is rounded; around marked words a mark, around those of a badge its own, too;
 * beside a serial the gap within it and the button that copies it.
 */
const around = { text: 14, badge: 14 + 16 + 18, marked: 14 + 18, serial: 8 + 4 + 24 };

/** How words are drawn. */
export type Drawn = keyof typeof fonts;
/** Nothing asks for more than this, however long it is; a serial is short, but for the text of a cell that holds none. */
const most = { text: 360, badge: 360, marked: 360, serial: 240 };

/** Inter's figures of equal width, which cells have and a canvas cannot draw, in parts of the font's size. */
const figureWidth = 0.6485;

let context: CanvasRenderingContext2D | null | undefined;

/** Pixels that the longest of some texts takes in a cell as it is drawn. Only the longest few by letters are measured. */
export function measureTexts(texts: readonly string[], drawn: Drawn = 'text'): number {
  context ??= document.createElement('canvas').getContext('2d');
  const canvas = context;
  if (!canvas) return 0;
  canvas.font = fonts[drawn];
  const longest = texts.toSorted((a, b) => b.length - a.length).slice(0, 3);
  const figure = drawn === 'serial' ? undefined : figureWidth * sizes[drawn];
  const widths = longest.map((text) => measureText(canvas, text, figure));
  return Math.min(most[drawn], Math.ceil(Math.max(0, ...widths)) + around[drawn]);
}

/** @param figure pixels of each figure; none where the font's are of equal width already */
function measureText(canvas: CanvasRenderingContext2D, text: string, figure: number | undefined): number {
  const { width } = canvas.measureText(text);
  if (figure === undefined) return width;
  const others = text.replaceAll(/\d/g, '');
  return Math.max(width, canvas.measureText(others).width + (text.length - others.length) * figure);
}
