import { parseSync } from 'oxc-parser'
import { isTree, nameOf, type Tree, trees, visit } from './syntax-tree.ts'

/** A name of an id, and its line in the file. */
export interface PlainId {
  name: string
  line: number
}

const NAME = /(?:Id|_id)s?$/
/** Generic types whose values hold or give a text. */
const CONTAINERS = new Set(['Array', 'Iterable', 'Promise', 'ReadonlyArray', 'ReadonlySet', 'Set'])
const DECLARATIONS = new Set([
  'TSPropertySignature',
  'PropertyDefinition',
  'Identifier',
  'TSNamedTupleMember',
])

/** The fields, parameters and variables of a file that are named as ids and declared as texts: `runId: string`. */
export function plainIds(path: string, source: string): PlainId[] {
  const found: PlainId[] = []
  visit(parseSync(path, source).program, (node) => {
    if (!DECLARATIONS.has(node.type)) return
    const name = node.type === 'Identifier' ? nameOf(node) : nameOf(node.key ?? node.label)
    if (!NAME.test(name) || !isText(typeOf(node))) return
    found.push({ name, line: lineOf(source, node) })
  })
  return found
}

/**
 * The casts of a file to one of these types, or to a field named as an id: `text as RunId`, `[text] as RunId[]`,
 * `text as Row['runId']`.
 */
export function idCasts(path: string, source: string, idTypes: ReadonlySet<string>): PlainId[] {
  const found: PlainId[] = []
  const isId = (name: string, isField: boolean) => (isField ? NAME.test(name) : idTypes.has(name))
  visit(parseSync(path, source).program, (node) => {
    if (node.type !== 'TSAsExpression' && node.type !== 'TSTypeAssertion') return
    for (const [name, isField] of castTo(node.typeAnnotation)) {
      if (isId(name, isField)) found.push({ name, line: lineOf(source, node) })
    }
  })
  return found
}

/** The names of a cast's types and of those of its items, and whether it is a field: `A | null`, `A[]`, `[A, B]`, `Row['runId']`. */
function castTo(type: unknown): [name: string, isField: boolean][] {
  if (!isTree(type)) return []
  switch (type.type) {
    case 'TSTypeReference':
      return [
        [nameOf(type.typeName), false],
        ...(isContainer(type) ? trees(argumentsOf(type)).flatMap(castTo) : []),
      ]
    case 'TSIndexedAccessType':
      return fieldsOf(type.indexType).map((name) => [name, true])
    case 'TSUnionType':
      return trees(type.types).flatMap(castTo)
    case 'TSTupleType':
      return trees(type.elementTypes).flatMap(castTo)
    case 'TSArrayType':
      return castTo(type.elementType)
    case 'TSTypeOperator':
    case 'TSParenthesizedType':
      return castTo(type.typeAnnotation)
    default:
      return []
  }
}

function typeOf(node: Tree): unknown {
  if (node.type === 'TSNamedTupleMember') return node.elementType
  return isTree(node.typeAnnotation) ? node.typeAnnotation.typeAnnotation : undefined
}

function isText(type: unknown): boolean {
  if (!isTree(type)) return false
  switch (type.type) {
    case 'TSStringKeyword':
      return true
    case 'TSUnionType':
      return trees(type.types).some(isText)
    case 'TSArrayType':
      return isText(type.elementType)
    case 'TSTypeOperator':
    case 'TSParenthesizedType':
      return isText(type.typeAnnotation)
    case 'TSTypeReference':
      return isContainer(type) && trees(argumentsOf(type)).some(isText)
    default:
      return false
  }
}

function fieldsOf(index: unknown): string[] {
  const literal =
    isTree(index) && index.type === 'TSLiteralType' && isTree(index.literal) ? index.literal.value : null
  return typeof literal === 'string' ? [literal] : []
}

const isContainer = (type: Tree): boolean => CONTAINERS.has(nameOf(type.typeName))

function argumentsOf(type: Tree): unknown {
  return isTree(type.typeArguments) ? type.typeArguments.params : undefined
}

function lineOf(source: string, { start }: Tree): number {
  return source.slice(0, start).split('\n').length
}
