const family = '"Inter Variable", "Inter Fallback", sans-serif';
const fonts = { text: `13px ${family}`, badge: `550 12px ${family}`, marked: `550 13px ${family}` };
/** Padding of a cell, and a pixel for what is rounded; around other words a mark, around those of a badge its own, too. */
const around = { text: 14, badge: 14 + 16 + 18, marked: 14 + 18 };
/** Nothing asks for more than this, however long it is. */
const most = 360;

let context: CanvasRenderingContext2D | null | undefined;

/** Pixels that the longest of some texts takes in a cell as it is drawn. Only the longest few by letters are measured. */
export function measureTexts(texts: readonly string[], drawn: keyof typeof fonts = 'text'): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = fonts[drawn];
  const longest = texts.toSorted((a, b) => b.length - a.length).slice(0, 3);
  const widths = longest.map((text) => context?.measureText(text).width ?? 0);
  return Math.min(most, Math.ceil(Math.max(0, ...widths)) + around[drawn]);
}
