const font = '13px "Inter Variable", "Inter Fallback", sans-serif';
/** Padding of a cell, and a pixel for what is rounded. */
const around = 14;
/** Nothing asks for more than this, however long it is. */
const most = 360;

let context: CanvasRenderingContext2D | null | undefined;

/** Pixels that the longest of some texts takes in a cell. Only the longest few by letters are measured. */
export function measureTexts(texts: readonly string[]): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = font;
  const longest = texts.toSorted((a, b) => b.length - a.length).slice(0, 3);
  const widths = longest.map((text) => context?.measureText(text).width ?? 0);
  return Math.min(most, Math.ceil(Math.max(0, ...widths)) + around);
}
