import { isJsonObject } from '@troupe/contract'
import { valueAt } from '@troupe/editor/values/json-path'

const INDEX = /^\d+$/

/** `baseUrl` and `base_url` → `Base url`. */
function inWords(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The name of the field at an API path: its label on the page, else its own name in words. */
export function fieldName(path: string, labels: Readonly<Record<string, string>> = {}): string {
  if (Object.hasOwn(labels, path)) return labels[path] ?? path
  const keys = path.split('.')
  const name = keys.findLast((key) => !INDEX.test(key)) ?? path
  const last = keys.at(-1) ?? ''
  return INDEX.test(last) && name !== path ? `${inWords(name)} ${Number(last) + 1}` : inWords(name)
}

const textAt = (root: unknown, path: string) => {
  const found = valueAt(root, path)
  return typeof found === 'string' && found !== '' ? found : null
}

/** The place of a draft's problem: `draft.edges.13.source` → `Connection 14 (triage → answer): Source`. */
export function draftFieldName(path: string, draft: unknown): string {
  const [, list, index, ...rest] = path.split('.')
  if (index === undefined || !INDEX.test(index) || !isJsonObject(draft)) return fieldName(path)
  const part = rest.length === 0 ? '' : `: ${fieldName(rest.join('.'))}`
  const at = `${list}.${index}`
  const number = Number(index) + 1
  if (list === 'nodes') {
    const name = textAt(draft, `${at}.name`) ?? textAt(draft, `${at}.id`)
    return `Step ${number}${name === null ? '' : ` (${name})`}${part}`
  }
  if (list !== 'edges') return fieldName(path)
  const [source, target] = [textAt(draft, `${at}.source`), textAt(draft, `${at}.target`)]
  return `Connection ${number}${source && target ? ` (${source} → ${target})` : ''}${part}`
}
