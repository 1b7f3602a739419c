import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeTypeLists } from './node-type-lists.ts'

// Writes the lists of the node types from their folders.
const root = join(import.meta.dirname, '..', '..', '..')
for (const { path, text } of await nodeTypeLists(root)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
