import {
  Agent,
  AgentConfigInput,
  AgentRunResult,
  Bundle,
  ErrorBody,
  FormDefinition,
  LlmProvider,
  propertyOf,
  Review,
  RunMessage,
  RunMetrics,
  StreamEvent,
  TeamRunResult,
} from '@troupe/contract'

/** A JSON Schema as plain JSON. */
export interface JsonSchema {
  [keyword: string]: unknown
  anyOf?: JsonSchema[]
  contentSchema?: JsonSchema
  description?: string | undefined
  enum?: unknown[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/** Schemas that are named in the document; matched by identity inside the operations. */
const NAMED: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [Agent, 'Agent'],
  [LlmProvider, 'LlmProvider'],
  [AgentRunResult, 'AgentRunResult'],
  [TeamRunResult, 'TeamRunResult'],
  [RunMessage, 'RunMessage'],
  [RunMetrics, 'RunMetrics'],
  [StreamEvent, 'StreamEvent'],
  [Review, 'Review'],
  [FormDefinition, 'FormDefinition'],
  [ErrorBody, 'Error'],
])
/** Detailed schemas in the document for values that are validated later: after a merge, or from their text. */
const DOCUMENTED: Readonly<Record<string, unknown>> = {
  AgentConfig: AgentConfigInput,
  Bundle,
}
/** Internal keywords without meaning for readers of the document. */
const PRIVATE_KEYWORDS = new Set(['patternMessage', 'documentedBy', 'replacedWhole'])

/** Writes schemas; each named schema is written once, below `components`, and referenced. */
export class SchemaWriter {
  readonly components: Record<string, JsonSchema> = {}

  write(schema: unknown): JsonSchema {
    const documentedBy = propertyOf(schema, 'documentedBy')
    if (typeof documentedBy === 'string') return this.#named(documentedBy, DOCUMENTED[documentedBy])
    const name = NAMED.get(schema)
    return name === undefined ? (this.#copy(schema) as JsonSchema) : this.#named(name, schema)
  }

  /** A reference to a named schema, which is created at its first use. */
  component(name: string, make: () => JsonSchema): JsonSchema {
    if (!this.components[name]) {
      // Before the schema is created, because it may refer to itself.
      this.components[name] = {}
      this.components[name] = make()
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  #named(name: string, schema: unknown): JsonSchema {
    return this.component(name, () => this.#copy(schema) as JsonSchema)
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.write(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([keyword]) => !PRIVATE_KEYWORDS.has(keyword))
        .map(([keyword, child]) => [keyword, this.write(child)]),
    )
  }
}
