/** The stored definition of a tool of an MCP server. */
export interface StoredDefinition {
  description: string
  /** null: an earlier version stored only the beginning of the definition. */
  inputSchema: Readonly<Record<string, unknown>> | null
}

/** Reads a stored definition, which is JSON; earlier versions cut it at its end. */
export function storedDefinition(definition: string): StoredDefinition {
  try {
    const whole: unknown = JSON.parse(definition)
    if (isObject(whole)) {
      const { description, inputSchema } = whole
      return {
        description: typeof description === 'string' ? description : '',
        inputSchema: isObject(inputSchema) ? inputSchema : null,
      }
    }
  } catch {
    // It is cut.
  }
  return { description: cutDescription(definition), inputSchema: null }
}

/** The description comes first, so that at least its beginning is shown. */
function cutDescription(definition: string): string {
  const [, text = ''] = /^\{\s*"description":\s*"((?:[^"\\]|\\.)*)/.exec(definition) ?? []
  return text.replaceAll(/\\[nrt]/g, ' ').replaceAll(/\\(["\\/])/g, '$1')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
