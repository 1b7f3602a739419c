import { parseSync } from 'oxc-parser'
import { isTree, nameOf, type Tree, trees, visit } from './syntax-tree.ts'

/**
 * The dialogs and sheets of a `.tsx` file whose code is loaded with their first press, but which are not in a `LazyDialog`: while their
 * code loads, nothing answers the press. A boundary nearer to the dialog counts, because it shows its own fallback.
 */
export function silentDialogs(source: string): string[] {
  const { program } = parseSync('file.tsx', source)
  const lazy = new Set<string>()
  visit(program, (node) => {
    if (node.type !== 'VariableDeclarator' || !isTree(node.init) || node.init.type !== 'CallExpression')
      return
    const name = nameOf(node.id)
    if (nameOf(node.init.callee) === 'lazyPart' && /(?:Dialog|Sheet|Question)$/.test(name)) lazy.add(name)
  })
  const answered = new Set<Tree>()
  visit(program, (boundary) => {
    if (!/^(?:LazyDialog|Suspense)$/.test(elementOf(boundary))) return
    const isAnswer = elementOf(boundary) === 'LazyDialog'
    // Parents are visited first, so the nearest boundary decides.
    visit(trees(boundary.children), (child) => {
      if (isAnswer) answered.add(child)
      else answered.delete(child)
    })
  })
  const silent: string[] = []
  visit(program, (node) => {
    const name = elementOf(node)
    if (lazy.has(name) && !answered.has(node)) silent.push(name)
  })
  return silent
}

/** The name of a JSX element; empty for another node. */
function elementOf(node: Tree): string {
  return node.type === 'JSXElement' && isTree(node.openingElement) ? nameOf(node.openingElement.name) : ''
}
