import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { NodeDefinition, NodeGroup } from '../src/definitions.ts'

// A node type is one folder. The lists of all types are written from the folders, not maintained by hand.

const COMMAND = 'npm run generate:nodes'
const FROM_ICONS = "from 'lucide-react'"
const GROUPS: readonly NodeGroup[] = ['triggers', 'ai', 'logic', 'people', 'data', 'canvas']

/** A node type with the name of its exported definition. */
interface NodeTypeFolder {
  definition: NodeDefinition
  /** `aiAgent`, which `executeAiAgent` executes. */
  name: string
}

/** A file that is written from the definitions. */
export interface WrittenFile {
  /** Below the folder of the package for lists of the package, else below the root of the repository. */
  path: string
  text: string
}

const isDefinition = (value: unknown): value is NodeDefinition =>
  typeof value === 'object' && value !== null && 'type' in value && 'handles' in value && 'schema' in value

/**
 * The node types of a source folder in the order of the palette: by group, then by their place in it, then by title.
 * @throws if a folder has a `definition.ts` without a definition of the folder's name
 */
export async function nodeTypeFolders(source: string): Promise<NodeTypeFolder[]> {
  const files = globSync('*/definition.ts', { cwd: source })
  const types = await Promise.all(
    files.map(async (file): Promise<NodeTypeFolder> => {
      const exported: Record<string, unknown> = await import(pathToFileURL(join(source, file)).href)
      for (const [name, definition] of Object.entries(exported)) {
        if (isDefinition(definition) && definition.type === dirname(file)) return { name, definition }
      }
      throw new Error(`${file} must export a definition whose type is the name of its folder.`)
    }),
  )
  const rank = ({ definition: { group, place = Number.MAX_SAFE_INTEGER } }: NodeTypeFolder) =>
    [GROUPS.indexOf(group), place] as const
  return types.sort((a, b) => {
    const [[groupA, placeA], [groupB, placeB]] = [rank(a), rank(b)]
    return groupA - groupB || placeA - placeB || (a.definition.title < b.definition.title ? -1 : 1)
  })
}

const byType = (types: readonly NodeTypeFolder[]) =>
  types.toSorted((a, b) => (a.definition.type < b.definition.type ? -1 : 1))
const pascal = (words: string) =>
  words.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const handlerOf = ({ name }: NodeTypeFolder) => `execute${pascal(name)}`
const keyOf = (key: string) => (/^[a-z]\w*$/.test(key) ? key : `'${key}'`)
const lines = (texts: readonly string[]) => texts.map((text) => `  ${text},\n`).join('')

/** A list as the formatter writes it: in one line if it fits. */
function listed(before: string, items: readonly string[], after: string): string {
  const line = `${before}${items.join(', ')}${after}`
  return line.length > 110 ? `${before}\n${lines(items)}${after}` : line
}

/** The lists of the package, by paths below its source folder. */
export function packageLists(types: readonly NodeTypeFolder[]): WrittenFile[] {
  const imports = byType(types).map(
    ({ name, definition: { type } }) => `import { ${name} } from '../${type}/definition.ts'\n`,
  )
  const contract = `import type { NodeDefinition } from '../definition/node-definition.ts'\n`
  const executed = types.filter(({ definition }) => definition.role !== 'note')
  const handlers = byType(executed).map(
    (one) => `import { ${handlerOf(one)} } from '../${one.definition.type}/execute.ts'\n`,
  )
  return [
    {
      path: 'generated/definitions.ts',
      text: `// Written by \`${COMMAND}\` from the folders of the node types.
${[...imports, contract].sort((a, b) => (sourceOf(a) < sourceOf(b) ? -1 : 1)).join('')}
/** Every node type, in the order of the builder's palette. */
export const NODE_DEFINITIONS = [
${lines(types.map(({ name }) => name))}] as const satisfies readonly NodeDefinition[]
`,
    },
    {
      path: 'generated/handlers.ts',
      text: `// Written by \`${COMMAND}\` from the folders of the node types.
${handlers.join('')}
/** The handler of every type that executes. */
export const EVERY_HANDLER = {
${lines(executed.map((one) => `${keyOf(one.definition.type)}: ${handlerOf(one)}`))}}
`,
    },
  ]
}

const sourceOf = (statement: string) => statement.split(" from '")[1] ?? ''

/** The title that a page without definitions derives from a type: `edit-fields` is Edit Fields. */
const plainTitle = (type: string) =>
  type.replaceAll('-', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** The lists of the builder, by paths below the root of the repository: its icons, and what small pages know of types. */
export function builderLists(types: readonly NodeTypeFolder[]): WrittenFile[] {
  const icons = [...new Set(types.map(({ definition }) => definition.icon))].sort()
  const names = [...icons.map(pascal), 'type LucideIcon'].sort((a, b) =>
    a.replace('type ', '') < b.replace('type ', '') ? -1 : 1,
  )
  const titled = byType(types).filter(({ definition: { type, title } }) => plainTitle(type) !== title)
  const callModels = byType(types).filter(({ definition }) => definition.group === 'ai')
  return [
    {
      path: 'apps/web/src/features/workflows/parts/node-icons.ts',
      text: `// Written by \`${COMMAND}\` from the definitions of the node types.
import {
${lines(names)}} ${FROM_ICONS}

/** Icons by their names in the definitions. */
export const NODE_ICONS: Readonly<Record<string, LucideIcon>> = {
${lines(icons.map((icon) => `${keyOf(icon)}: ${pascal(icon)}`))}}
`,
    },
    {
      path: 'apps/web/src/core/nodes/node-types.ts',
      text: `// Written by \`${COMMAND}\` from the definitions of the node types, for pages that do not load those.

/** Titles of types that do not follow from the type: \`edit-fields\` is Edit Fields. */
export const STEP_TYPE_TITLES: Readonly<Record<string, string>> = {
${lines(titled.map(({ definition: { type, title } }) => `${keyOf(type)}: '${title}'`))}}

/** The types that call models: those of the group AI. */
${listed(
  'export const MODEL_NODES: ReadonlySet<string> = new Set([',
  callModels.map(({ definition: { type } }) => `'${type}'`),
  '])',
)}
`,
    },
  ]
}

/** Every file that is written from the definitions of this repository, by paths below its root. */
export async function nodeTypeLists(root: string): Promise<WrittenFile[]> {
  const source = 'packages/nodes/src'
  const types = await nodeTypeFolders(join(root, source))
  const own = packageLists(types).map(({ path, text }) => ({ path: `${source}/${path}`, text }))
  return [...own, ...builderLists(types)]
}

/** The paths of the written files that are out of date. */
export async function outdatedLists(root: string): Promise<string[]> {
  const files = await nodeTypeLists(root)
  return files
    .filter(({ path, text }) => readFileSync(join(root, path), 'utf8') !== text)
    .map(({ path }) => path)
}
