// The types of pdfmake on npm bring those of a browser into the server. These are the parts that this product uses.
declare module 'pdfmake' {
  type Fonts = Record<string, Record<string, string>>;

  const pdfmake: {
    addFonts(fonts: Fonts): void;
    /** @param isAllowed decides about each file that a document names */
    setLocalAccessPolicy(isAllowed: (path: string) => boolean): void;
    /** @param isAllowed decides about each address that a document names */
    setUrlAccessPolicy(isAllowed: (url: string) => boolean): void;
    createPdf(document: object): { getBuffer(): Promise<Buffer<ArrayBuffer>> };
  };
  export default pdfmake;
}

declare module 'pdfmake/fonts/Roboto.js' {
  /** The typeface that comes with pdfmake: the paths of its files by style. */
  const fonts: { Roboto: Record<string, string> };
  export default fonts;
}
