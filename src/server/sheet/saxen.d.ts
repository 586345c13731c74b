// saxen ships no types. These are the parts that this product uses.
declare module 'saxen' {
  export class Parser {
    on(event: 'openTag', listener: (name: string, attributes: () => Record<string, string>) => void): this;
    on(event: 'closeTag', listener: (name: string) => void): this;
    on(
      event: 'text' | 'cdata' | 'comment' | 'question' | 'attention',
      listener: (written: string) => void,
    ): this;
    write(xml: string): this;
    end(): Error | null;
  }
}
