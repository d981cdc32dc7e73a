import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import ts from 'typescript';
import { expect, test } from 'vitest';

const app = new URL('../app/', import.meta.url).pathname;
const starters = ['mutate', 'enqueue', 'retryRejected'];
const laws = ['may', 'objection'];

const isCallOf = (node: ts.Node | undefined, name: string): node is ts.CallExpression =>
  node !== undefined && ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name;

/** How a file of screens starts a mutation without asking `may`, one text for each place. */
function withoutLaw(source: string): string[] {
  const file = ts.createSourceFile('screen.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  /** Results of `useMutation` by the name they have here, and what is read of each. */
  const read = new Map<string, Set<string>>();
  const asked: string[] = [];
  const found: string[] = [];
  const nameOf = ({ propertyName, name }: ts.BindingElement) => (propertyName ?? name).getText(file);

  function bind(node: ts.VariableDeclaration): void {
    if (!isCallOf(node.initializer, 'useMutation')) return;
    const mutation = node.initializer.arguments[0]?.getText(file) ?? '';
    if (ts.isIdentifier(node.name)) read.set(node.name.text, new Set());
    else if (!node.name.elements.some((element) => ts.isBindingElement(element) && laws.includes(nameOf(element))))
      found.push(`${mutation}: its law is not asked`);
    asked.push(mutation);
  }
  function use(node: ts.Node): void {
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      const member = ts.isPropertyAccessExpression(node) ? node.name.text : node.argumentExpression.getText(file);
      const bare = member.replaceAll(/['"`]/g, '');
      const known = ts.isIdentifier(node.expression) ? read.get(node.expression.text) : undefined;
      known?.add(bare);
      if (known === undefined && starters.includes(bare)) found.push(`${node.getText(file)}: not from useMutation`);
    }
    if (
      ts.isObjectBindingPattern(node) &&
      node.elements.some((element) => starters.includes(nameOf(element))) &&
      !(ts.isVariableDeclaration(node.parent) && isCallOf(node.parent.initializer, 'useMutation'))
    )
      found.push(`${node.parent.getText(file)}: not from useMutation`);
    // What is held back for some seconds is started by the control that holds it.
    if (isCallOf(node, 'hold') && node.arguments[0] !== undefined && ts.isStringLiteral(node.arguments[0])) {
      const mutation = node.arguments[0].getText(file);
      if (!asked.includes(mutation)) found.push(`${mutation}: held without useMutation`);
    }
  }
  const visit = (act: (node: ts.Node) => void) => (node: ts.Node) => {
    act(node);
    ts.forEachChild(node, visit(act));
  };
  visit((node) => ts.isVariableDeclaration(node) && bind(node))(file);
  visit(use)(file);
  for (const [name, members] of read) {
    if (!laws.some((law) => members.has(law))) found.push(`${name}: its law is not asked`);
  }
  return found;
}

test.each([
  ['the engine itself', 'await context.sync.mutate(name, args);'],
  ['the engine under another name', 'const engine = useSessionContext().sync; engine.mutate(name, args);'],
  ['a rejected one again', 'await context.sync.retryRejected(uid);'],
  ['its member in brackets', "context.sync['mutate'](name, args);"],
  ['a function taken out of it', 'const { status, mutate } = sync;'],
  ['a function taken out and renamed', 'const { mutate: send } = context.sync;'],
  ['a function that is handed in', 'function Close({ mutate }: Props) { return <Button onPress={mutate} />; }'],
  ['a hook that is not asked', "const { mutate } = useMutation('job.close', job);"],
  ['a hook that is not asked, kept whole', "const close = useMutation('job.close', job); close.enqueue({ id });"],
  ['a held change', "void hold('job.close', { id }, title);"],
])('finds a mutation that starts without its law: %s', (_how, source) => {
  expect(withoutLaw(source)).toHaveLength(1);
});

test.each([
  "const { may, mutate } = useMutation('job.close', job);",
  "const { objection, enqueue: close } = useMutation('job.close', job);",
  "const close = useMutation('job.close', job); if (close.may) close.enqueue({ id });",
  "const close = useMutation('job.close', job); if (close.may) void hold('job.close', { id }, title);",
])('lets pass what asks: %s', (source) => {
  expect(withoutLaw(source)).toEqual([]);
});

test('a control that starts a mutation asks its law first: screens know no other way than useMutation', async () => {
  const found: string[] = [];
  let read = 0;
  const screens = ['features', 'routes', 'hooks', 'parts', 'context', 'ui'].map((folder) => `${folder}/**/*.{ts,tsx}`);
  for await (const file of glob(['*.tsx', ...screens], { cwd: app })) {
    if (file.includes('.test.') || file.endsWith('hooks/use-mutation.ts')) continue;
    read += 1;
    found.push(...withoutLaw(readFileSync(`${app}${file}`, 'utf8')).map((what) => `${file}: ${what}`));
  }
  expect(read).toBeGreaterThan(200);
  expect(found).toEqual([]);
});
