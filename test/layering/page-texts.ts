import { parseSync } from 'oxc-parser'
import { isTree, nameOf, trees, visit } from './syntax-tree.ts'

/** Attributes with visible or spoken text. */
const SPOKEN =
  /^(?:alt|label|title|placeholder|description|detail|action|empty|failed|aria-(?:label|description|roledescription|valuetext))$/
/** Words, but no URLs and no single letters such as those of ids. */
const WORDS = /^(?!https?:).*\p{L}{2}/su

/** A visible text written in JSX instead of in the messages. */
export interface PageText {
  line: number
  text: string
}

/** The visible texts in a `.tsx` file: between tags, and in visible or spoken attributes. */
export function pageTexts(source: string): PageText[] {
  const found: { start: number; text: string }[] = []
  visit(parseSync('file.tsx', source).program, (node) => {
    if (node.type === 'JSXText') found.push({ start: node.start, text: String(node.value).trim() })
    else if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of trees(node.children)) {
        if (child.type === 'JSXExpressionContainer') found.push(...textsOf(child.expression))
      }
    } else if (node.type === 'JSXAttribute' && SPOKEN.test(nameOf(node.name))) {
      found.push(...textsOf(node.value))
    }
  })
  return found
    .filter(({ text }) => WORDS.test(text))
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, text }) => ({ line: source.slice(0, start).split('\n').length, text }))
}

/** The possible texts of an expression: literals, templates, and both branches of a conditional. */
function textsOf(value: unknown): { start: number; text: string }[] {
  if (!isTree(value)) return []
  switch (value.type) {
    case 'Literal':
      return typeof value.value === 'string' ? [{ start: value.start, text: value.value }] : []
    case 'TemplateLiteral': {
      const words = trees(value.quasis).map(({ value: part }) => (isTree(part) ? '' : rawOf(part)))
      return [{ start: value.start, text: words.join(' … ') }]
    }
    case 'ConditionalExpression':
      return [...textsOf(value.consequent), ...textsOf(value.alternate)]
    case 'LogicalExpression':
      return [...textsOf(value.left), ...textsOf(value.right)]
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return textsOf(value.expression)
    default:
      return []
  }
}

function rawOf(part: unknown): string {
  return typeof part === 'object' && part !== null && 'raw' in part ? String(part.raw) : ''
}
