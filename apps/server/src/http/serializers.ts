import fastJsonStringify from 'fast-json-stringify'

type Serialize = (value: unknown) => string

/** By response schema; servers of one process share them. */
const COMPILED = new WeakMap<object, Serialize>()

function serializer(schema: object): Serialize {
  const known = COMPILED.get(schema)
  if (known) return known
  const compiled = fastJsonStringify(schema)
  COMPILED.set(schema, compiled)
  return compiled
}

/**
 * Serialises a route's responses by their schema, which is compiled with the first response: some hundred schemas take 150 ms,
 * and a start needs none of them.
 */
export function lazySerializer({ schema }: { schema: object }): Serialize {
  return (value) => serializer(schema)(value)
}
