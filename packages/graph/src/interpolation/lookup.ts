import { propertyOf } from '@troupe/contract'
import { closest } from './closest.ts'
import type { FormFiles, Found, InterpolationScope } from './interpolation-scope.ts'
import type { TokenPath } from './token-path.ts'

/** Maximum keys that a message lists, and maximum shown characters of each. */
const MAX_KEYS = 10
const MAX_KEY_LENGTH = 64

const INDEX = /^(0|[1-9][0-9]*)$/

/** Whether a key is an index of a list. */
export function isIndex(key: string): boolean {
  return INDEX.test(key)
}

const short = (key: string) => (key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH - 1)}…` : key)

/** The root value of a path, with its name for messages. */
function origin(path: TokenPath, scope: InterpolationScope): { found: Found; name: string } {
  const missing = (reason: string) => ({ found: { ok: false, reason } as const, name: '' })
  switch (path.namespace) {
    case 'trigger':
      return { found: { ok: true, value: scope.trigger }, name: 'the trigger' }
    case 'upstream':
      return { found: scope.upstream(path.nodeId), name: `the output of ${path.nodeId}` }
    case 'variables':
      return scope.variables.has(path.name)
        ? { found: { ok: true, value: scope.variables.get(path.name) }, name: `variable ${path.name}` }
        : missing(`variable "${short(path.name)}" was never set`)
    case 'loop.item':
    case 'loop.index':
      if (!scope.loop) return missing('it is not in the body of a Loop')
      return path.namespace === 'loop.item'
        ? { found: { ok: true, value: scope.loop.item }, name: 'the item' }
        : { found: { ok: true, value: scope.loop.index }, name: 'the index' }
    case null:
      return missing(path.reason)
    default:
      return path satisfies never
  }
}

function hasPart(value: object, key: string): boolean {
  // An own `__proto__`, which JSON can contain, is refused too, so that later code need not guard against it.
  if (Array.isArray(value)) return isIndex(key) && Object.hasOwn(value, key)
  return key !== '__proto__' && Object.hasOwn(value, key)
}

/** Why a value with these keys lacks another key. `meant` is the probably intended key, if there is one. */
export function describeMissingKey(
  key: string,
  keys: readonly string[],
  name: string,
  meant: string | null,
): string {
  const shown = keys.slice(0, MAX_KEYS).map(short).join(', ')
  const has = keys.length === 0 ? 'it is empty' : `has: ${shown}${keys.length > MAX_KEYS ? ', …' : ''}`
  const hint = meant === null ? '' : `. Did you mean "${short(meant)}"?`
  return `"${short(key)}" is not in ${name} (${has})${hint}`
}

/** Why a list or an object has no such key, with its keys. */
function describeMissing(value: object, key: string, name: string): string {
  if (Array.isArray(value)) {
    const size = `${value.length} ${value.length === 1 ? 'element' : 'elements'}`
    return `"${short(key)}" is not an element of ${name}, a list of ${size}`
  }
  const keys = Object.keys(value).filter((own) => own !== '__proto__')
  return describeMissingKey(key, keys, name, closest(key, keys))
}

/** The properties of a missing file. */
const NO_FILE: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['text', ''],
  ['filename', ''],
  ['contentType', ''],
  ['sizeBytes', 0],
])

/** The path below the body of a form's trigger; null for any other path. */
function placeInForm(path: TokenPath, formFiles: FormFiles | undefined): readonly string[] | null {
  if (!formFiles || (path.namespace !== 'trigger' && path.namespace !== 'upstream')) return null
  if (path.namespace === 'upstream' && !formFiles.triggers.has(path.nodeId)) return null
  return path.keys[0] === 'body' ? path.keys.slice(1) : null
}

/** A property of a missing file, such as its text; undefined for any other path. */
function partOfMissingFile(path: TokenPath, trigger: unknown, { formFiles }: InterpolationScope): unknown {
  const [name, ...rest] = placeInForm(path, formFiles) ?? []
  const part = rest.length === 2 && isIndex(rest[0] ?? '') ? rest[1] : rest.length === 1 ? rest[0] : undefined
  if (name === undefined || part === undefined || !formFiles?.fields.has(name)) return undefined
  const sent = propertyOf(propertyOf(trigger, 'body'), name)
  const isLeftOut = sent === null || (rest.length === 2 && Array.isArray(sent) && sent.length === 0)
  return isLeftOut ? NO_FILE.get(part) : undefined
}

/** Whether a path leads to an absent field of a form, or below it, where an absent field counts as missing. */
function isMissingAnswer(path: TokenPath, trigger: unknown, scope: InterpolationScope): boolean {
  if (!scope.isLeftOutMissing) return false
  const [name] = placeInForm(path, scope.formFiles) ?? []
  if (name === undefined || !scope.formFiles?.answers.has(name)) return false
  return propertyOf(propertyOf(trigger, 'body'), name) === null
}

/** Follows a path through own properties and list elements only. A null is a valid value but has no properties. */
export function lookUp(path: TokenPath, scope: InterpolationScope): Found {
  const { found, name } = origin(path, scope)
  if (!found.ok || path.namespace === null) return found
  if (isMissingAnswer(path, found.value, scope)) return { ok: false, reason: 'the form was sent without it' }
  const empty = partOfMissingFile(path, found.value, scope)
  if (empty !== undefined) return { ok: true, value: empty }
  let { value } = found
  let at = name
  for (const key of path.keys) {
    if (typeof value !== 'object' || value === null) {
      const kind = value === null ? 'null' : `a ${typeof value}`
      return { ok: false, reason: `"${short(key)}" is not in ${at}, which is ${kind}` }
    }
    if (!hasPart(value, key)) return { ok: false, reason: describeMissing(value, key, at) }
    value = (value as Record<string, unknown>)[key]
    at = `"${short(key)}" of ${name}`
  }
  return { ok: true, value }
}
