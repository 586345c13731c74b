/** The name of an element: as written, and as the part's reader knows it. */
export type XmlName = {
  written: string;
  /** The local name in the namespace of the root element; `{namespace}local` in any other. */
  name: string;
  /** The scope of the element, with its own declarations. */
  scope: XmlScope;
};

const slots = 64;

/** The namespaces that are declared around an element, and the names of elements seen under them. */
export class XmlScope {
  readonly #namespaces: ReadonlyMap<string, string>;
  /** The namespace of the root element. */
  readonly #home: string;
  /** The last name for each hash, so that repeated names make no strings. */
  readonly #names: (XmlName | undefined)[] = new Array(slots);

  private constructor(namespaces: ReadonlyMap<string, string>, home: string) {
    this.#namespaces = namespaces;
    this.#home = home;
  }

  /** Creates the scope of a root element. @param declarations the namespaces by prefix, '' for the default one */
  static ofRoot(declarations: ReadonlyMap<string, string>, root: string): XmlScope {
    return new XmlScope(declarations, declarations.get(prefixOf(root)) ?? '');
  }

  /** Returns the scope of an element with more declarations. */
  with(declarations: ReadonlyMap<string, string>): XmlScope {
    const isNew = [...declarations].some(([prefix, uri]) => this.#namespaces.get(prefix) !== uri);
    return isNew ? new XmlScope(new Map([...this.#namespaces, ...declarations]), this.#home) : this;
  }

  /** Returns the name of an element. @param hash a number that depends on the bytes of the name alone */
  nameAt(bytes: Buffer, start: number, end: number, hash: number): XmlName {
    const slot = hash & (slots - 1);
    const cached = this.#names[slot];
    if (cached && cached.written.length === end - start && standsAt(bytes, start, cached.written))
      return cached;
    const rawName = bytes.toString('latin1', start, end);
    const name = this.#resolve(rawName, this.#namespaces.get(prefixOf(rawName)) ?? '');
    const entry = { written: rawName, name, scope: this };
    this.#names[slot] = entry;
    return entry;
  }

  /** Returns the name of an attribute: as written without a prefix, else `{namespace}local`. */
  attributeName(rawName: string): string {
    const prefix = prefixOf(rawName);
    return prefix === '' ? rawName : `{${this.#namespaces.get(prefix) ?? prefix}}${localOf(rawName)}`;
  }

  #resolve(rawName: string, namespace: string): string {
    return namespace === this.#home ? localOf(rawName) : `{${namespace}}${localOf(rawName)}`;
  }
}

/** Returns whether a name stands at a place; each character of the name is one byte. */
export function standsAt(bytes: Buffer, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name.charCodeAt(i)) return false;
  return true;
}

function prefixOf(rawName: string): string {
  return rawName.slice(0, Math.max(0, rawName.indexOf(':')));
}

function localOf(rawName: string): string {
  return rawName.slice(rawName.indexOf(':') + 1);
}
