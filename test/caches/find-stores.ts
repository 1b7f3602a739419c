import { globSync, readFileSync } from 'node:fs'
import { storesOfClosures } from './closures.ts'

/** The sources that serve requests. The voice worker has a process for each session, and the pages run in browsers. */
const SOURCES = ['packages/*/src/**/*.ts', 'apps/server/src/**/*.ts']
const APART = /\.test\.ts$|\/testing\/|^packages\/(test-kit|media-servers|client|editor)\//
const ROOT = new URL('../../', import.meta.url)

const STORE = 'new (?:Map|Set|LRUCache|WeakMap)\\b(?:<(?:[^()]|\\(\\))*?>)?\\('
/** A class field that starts empty: `#known = new Map<string, Entry>()`, or any LRU cache. */
const FIELD = new RegExp(`^ {2}(?:readonly |private )*(#?\\w+)(?:: [^=\\n]+)? =\\s+${STORE}`, 'gm')
/** A module constant that starts empty, or any LRU cache. */
const CONSTANT = new RegExp(`^(?:export )?(?:const|let) (\\w+)(?:: [^=\\n]+)? =\\s+${STORE}`, 'gm')
/** A store of a function that creates a part of the process: a constant in its body. */
const PART = /^(?:export )?(?:async )?function (?:create|open|start|make)\w*\([\s\S]*?^\}/gm
const OF_PART = new RegExp(`^ {2}(?:const|let) (\\w+)(?:: [^=\\n]+)? =\\s+${STORE}`, 'gm')
/** An LRU cache created elsewhere: in a constructor, in a function. */
const ANY_LRU = /new LRUCache\(|new LRUCache</g

/** The stores, as `file name`; an LRU cache without a name is `file LRUCache`. */
export function findStores(): string[] {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter(
    (one) => !APART.test(one),
  )
  return files
    .flatMap((file) =>
      storesIn(readFileSync(new URL(file, ROOT), 'utf8'), file).map((name) => `${file} ${name}`),
    )
    .sort()
}

/** The names of a source's stores. */
export function storesIn(source: string, path = 'source.ts'): string[] {
  const names = new Set<string>()
  let named = 0
  const add = (text: string, pattern: RegExp) => {
    for (const match of text.matchAll(pattern)) {
      const [found, name = ''] = match
      const isLru = found.includes('LRUCache')
      if (isLru) named += 1
      // A literal list never grows.
      if (isLru || text.startsWith(')', match.index + found.length)) names.add(name)
    }
  }
  add(source, FIELD)
  add(source, CONSTANT)
  for (const [part] of source.matchAll(PART)) add(part, OF_PART)
  if ([...source.matchAll(ANY_LRU)].length > named) names.add('LRUCache')
  for (const name of storesOfClosures(path, source)) names.add(name)
  return [...names]
}
