import { fieldPath } from '../../errors/field-path.ts'

/** A part of a template: literal text, an argument of the model, or a value of the run's `tool_context`. */
export type ToolTemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'argument'; name: string }
  | { kind: 'context'; path: readonly [string, ...string[]] }

/** A text with its placeholders, in order; adjacent parts are never both text. */
export type Template = readonly ToolTemplatePart[]

const ARGUMENT = /\{([A-Za-z_][A-Za-z0-9_-]{0,63})\}/y
const CONTEXT = /\{\{ *context((?:\.[A-Za-z0-9_]{1,64}){1,8}) *\}\}/y

/**
 * Parses `{name}` and `{{ context.path }}` in a text. Any other single brace is text; null for two opening braces that
 * do not begin a `{{ context.path }}`.
 */
export function parseTemplate(text: string): Template | null {
  const parts: ToolTemplatePart[] = []
  let kept = 0
  const push = (part: ToolTemplatePart, from: number, to: number) => {
    if (from > kept) parts.push({ kind: 'text', text: text.slice(kept, from) })
    parts.push(part)
    kept = to
  }
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', Math.max(kept, at + 1))) {
    if (text[at + 1] === '{') {
      CONTEXT.lastIndex = at
      const [first, ...rest] = CONTEXT.exec(text)?.[1]?.slice(1).split('.') ?? []
      if (first === undefined) return null
      push({ kind: 'context', path: [first, ...rest] }, at, CONTEXT.lastIndex)
    } else {
      ARGUMENT.lastIndex = at
      const name = ARGUMENT.exec(text)?.[1]
      if (name !== undefined) push({ kind: 'argument', name }, at, ARGUMENT.lastIndex)
    }
  }
  if (kept < text.length) parts.push({ kind: 'text', text: text.slice(kept) })
  return parts
}

/** The placeholder that is the whole template; null if there is none, or text beside it. */
export function solePlaceholder(template: Template): Exclude<ToolTemplatePart, { kind: 'text' }> | null {
  const [part] = template
  return template.length === 1 && part && part.kind !== 'text' ? part : null
}

/** The templates of every string in a JSON value, with the path of each below `path`; its keys are not templates. */
export function toolTemplatesIn(value: unknown, path: string): { path: string; template: Template | null }[] {
  if (typeof value === 'string') return [{ path, template: parseTemplate(value) }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => toolTemplatesIn(child, fieldPath(path, key)))
}
