/** A value of a form with bracketed names: `items[0][price]=x` is `{ items: [{ price: 'x' }] }`. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };

interface Node {
  text?: string;
  parts: Map<string, Node>;
}

/** Undoes the SDK's form encoding. */
export function readForm(encoded: string): { [name: string]: FormValue } {
  const root: Node = { parts: new Map() };
  for (const [name, value] of new URLSearchParams(encoded)) {
    const [first = '', ...rest] = name.split('[').map((part) => part.replace(/\]$/, ''));
    let node = root;
    for (const part of [first, ...rest]) {
      // `expand[]=a&expand[]=b`
      const key = part === '' ? String(node.parts.size) : part;
      const next = node.parts.get(key) ?? { parts: new Map<string, Node>() };
      node.parts.set(key, next);
      node = next;
    }
    node.text = value;
  }
  return Object.fromEntries([...root.parts].map(([name, node]) => [name, valueOf(node)]));
}

function valueOf({ text, parts }: Node): FormValue {
  if (parts.size === 0) return text ?? '';
  const isList = [...parts.keys()].every((key) => /^\d+$/.test(key));
  if (isList) return [...parts.values()].map(valueOf);
  return Object.fromEntries([...parts].map(([name, node]) => [name, valueOf(node)]));
}
