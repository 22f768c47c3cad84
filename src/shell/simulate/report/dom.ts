/**
 * As much of a document as the plotting library needs to draw into, and the text of what it has drawn. It draws SVG by making
 * elements and setting attributes; a whole DOM in JavaScript would be heavier than the library itself.
 */

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";

export interface TextNode {
  readonly kind: "text";
  readonly text: string;
  parentNode: ElementNode | null;
}

export interface ElementNode {
  readonly kind: "element";
  readonly tagName: string;
  readonly namespaceURI: string;
  readonly ownerDocument: MiniDocument;
  readonly childNodes: MiniNode[];
  readonly attributes: Map<string, string>;
  readonly style: { readonly setProperty: (name: string, value: unknown) => void };
  parentNode: ElementNode | null;
  textContent: string;
  readonly firstChild: MiniNode | null;
  readonly children: readonly ElementNode[];
  readonly setAttribute: (name: string, value: unknown) => void;
  readonly setAttributeNS: (namespace: string | null, name: string, value: unknown) => void;
  readonly getAttribute: (name: string) => string | null;
  readonly hasAttribute: (name: string) => boolean;
  readonly removeAttribute: (name: string) => void;
  readonly appendChild: <N extends MiniNode>(node: N) => N;
  readonly insertBefore: <N extends MiniNode>(node: N, before: MiniNode | null) => N;
  readonly removeChild: <N extends MiniNode>(node: N) => N;
  readonly append: (...nodes: readonly (MiniNode | string)[]) => void;
  /** Nothing is looked up and nothing listens: the drawing is written once and never touched. */
  readonly querySelector: () => null;
  readonly querySelectorAll: () => readonly never[];
  readonly addEventListener: () => void;
}

export type MiniNode = TextNode | ElementNode;

export interface MiniDocument {
  readonly documentElement: ElementNode;
  readonly createElement: (name: string) => ElementNode;
  readonly createElementNS: (namespace: string, name: string) => ElementNode;
  readonly createTextNode: (text: string) => TextNode;
}

const textNode = (text: string): TextNode => ({ kind: "text", text, parentNode: null });

const detach = (node: MiniNode): void => {
  const siblings = node.parentNode?.childNodes;
  const place = siblings?.indexOf(node) ?? -1;
  if (place >= 0) siblings?.splice(place, 1);
  node.parentNode = null;
};

const element = (ownerDocument: MiniDocument, namespaceURI: string, tagName: string): ElementNode => {
  const childNodes: MiniNode[] = [];
  const attributes = new Map<string, string>();
  const styles = new Map<string, string>();
  const insert = <N extends MiniNode>(node: N, before: MiniNode | null): N => {
    detach(node);
    const place = before === null ? -1 : childNodes.indexOf(before);
    childNodes.splice(place < 0 ? childNodes.length : place, 0, node);
    node.parentNode = self;
    return node;
  };
  const self: ElementNode = {
    kind: "element",
    tagName,
    namespaceURI,
    ownerDocument,
    childNodes,
    attributes,
    parentNode: null,
    style: {
      setProperty: (name, value) => {
        styles.set(name, String(value));
        attributes.set("style", [...styles].map(([key, each]) => `${key}:${each}`).join(";"));
      },
    },
    get textContent() {
      return childNodes.map((node) => (node.kind === "text" ? node.text : node.textContent)).join("");
    },
    set textContent(text: string) {
      childNodes.splice(0, childNodes.length);
      if (text !== "") insert(textNode(text), null);
    },
    get children() {
      return childNodes.filter(isElement);
    },
    get firstChild() {
      return childNodes[0] ?? null;
    },
    setAttribute: (name, value) => {
      attributes.set(name, String(value));
    },
    setAttributeNS: (_namespace, name, value) => {
      attributes.set(name, String(value));
    },
    getAttribute: (name) => attributes.get(name) ?? null,
    hasAttribute: (name) => attributes.has(name),
    removeAttribute: (name) => {
      attributes.delete(name);
    },
    appendChild: (node) => insert(node, null),
    insertBefore: insert,
    removeChild: (node) => {
      detach(node);
      return node;
    },
    append: (...nodes) => {
      for (const node of nodes) insert(typeof node === "string" ? textNode(node) : node, null);
    },
    querySelector: () => null,
    querySelectorAll: () => [],
    addEventListener: () => undefined,
  };
  return self;
};

export const miniDocument = (): MiniDocument => {
  const self: MiniDocument = {
    get documentElement() {
      return element(self, HTML, "html");
    },
    createElement: (name) => element(self, HTML, name),
    createElementNS: (namespace, name) => element(self, namespace, name),
    createTextNode: textNode,
  };
  return self;
};

/** Whether something was made by such a document. */
export const isElement = (value: unknown): value is ElementNode =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "element";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text that is safe between tags and inside quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");

const CUSTOM_STYLE_CHARACTERS = /<\//g;

/** The markup of a node and everything in it. */
export const markup = (node: MiniNode): string => {
  if (node.kind === "text") return escaped(node.text);
  const { tagName, attributes, childNodes, parentNode, namespaceURI } = node;
  const outermost = parentNode === null && namespaceURI === SVG ? ` xmlns="${SVG}"` : "";
  const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
  // Style sheets are raw text in HTML; nothing that we draw closes the element from within.
  const inner =
    tagName === "style" ? node.textContent.replace(CUSTOM_STYLE_CHARACTERS, "<\\/") : childNodes.map(markup).join("");
  return `<${tagName}${outermost}${written}>${inner}</${tagName}>`;
};
