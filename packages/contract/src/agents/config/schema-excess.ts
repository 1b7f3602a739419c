/** Maximum size of an output schema, as JSON. */
const MAX_SCHEMA_CHARACTERS = 64 * 1024
/** Maximum values, and maximum string characters, of the smallest answer. */
const MAX_VALUES = 10_000
const MAX_CHARACTERS = 100_000
const MAX_DEPTH = 64
/** Keywords whose value is data, not a schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples'])

/** The minimum contents of an answer. */
interface Least {
  values: number
  characters: number
}

type Schema = Record<string, unknown>

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const numberOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0)
const sum = (parts: readonly Least[]): Least => ({
  values: parts.reduce((total, { values }) => total + values, 0),
  characters: parts.reduce((total, { characters }) => total + characters, 0),
})

/** Computes the minimum of each schema once; a reference to a schema in progress counts as one value. */
class LeastAnswer {
  readonly #root: Schema
  readonly #known = new Map<Schema, Least>()

  constructor(root: Schema) {
    this.#root = root
  }

  of(schema: unknown, depth = 0): Least {
    if (!isObject(schema) || depth > MAX_DEPTH) return { values: 1, characters: 0 }
    const known = this.#known.get(schema)
    if (known) return known
    this.#known.set(schema, { values: 1, characters: 0 })
    const least = this.#compute(schema, depth + 1)
    this.#known.set(schema, least)
    return least
  }

  #compute(schema: Schema, depth: number): Least {
    const { items, required, properties, allOf, anyOf, oneOf, $ref } = schema
    const minItems = numberOf(schema.minItems)
    const item = this.of(items, depth)
    const named = Array.isArray(required) && isObject(properties) ? required : []
    const choices = [anyOf, oneOf].filter(Array.isArray)
    return sum([
      { values: 1 + numberOf(schema.minProperties), characters: numberOf(schema.minLength) },
      { values: minItems * item.values, characters: minItems * item.characters },
      ...named.map((name) => this.of(isObject(properties) ? properties[String(name)] : null, depth)),
      ...(Array.isArray(allOf) ? allOf.map((part) => this.of(part, depth)) : []),
      ...choices.map((options) => this.#smallest(options, depth)),
      ...(typeof $ref === 'string' ? [this.of(this.#at($ref), depth)] : []),
    ])
  }

  #smallest(options: readonly unknown[], depth: number): Least {
    const all = options.map((option) => this.of(option, depth))
    return {
      values: Math.min(MAX_VALUES * 10, ...all.map(({ values }) => values)),
      characters: Math.min(MAX_CHARACTERS * 10, ...all.map(({ characters }) => characters)),
    }
  }

  #at(reference: string): unknown {
    let at: unknown = this.#root
    for (const key of reference.split('/', MAX_DEPTH).slice(1)) at = isObject(at) ? at[key] : undefined
    return at
  }
}

/** Whether any number in a schema requires more than an answer may contain. */
function asksTooMuch(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  return Object.entries(value).some(([key, inner]) => {
    if (typeof inner !== 'number') return !DATA.has(key) && asksTooMuch(inner, depth + 1)
    if (key === 'minItems' || key === 'minProperties' || key === 'minContains') return inner > MAX_VALUES
    return key === 'minLength' && inner > MAX_CHARACTERS
  })
}

/**
 * Why a JSON Schema is unsuitable for a model's answer: it is too long, or even its smallest answer is too large. Null
 * when it is suitable. Takes time linear in the schema.
 */
export function schemaExcess(schema: Schema): string | null {
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) return 'must be at most 64 KB of JSON'
  const { values, characters } = new LeastAnswer(schema).of(schema)
  if (values > MAX_VALUES || characters > MAX_CHARACTERS || asksTooMuch(schema)) {
    return `exceeds the limits of an answer: ${MAX_VALUES} values and ${MAX_CHARACTERS} characters`
  }
  return null
}
