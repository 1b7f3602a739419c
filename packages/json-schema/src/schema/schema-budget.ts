/** Maximum values of one answer: the schema library takes up to 20 µs to check each. */
const MAX_VALUES = 20_000
/** Minimum budget of schema reads for a check, and the allowance added per value and per character. */
const MIN_READS = 100_000
const READS_PER_VALUE = 40
const READS_PER_CHARACTER = 1 / 4
/** Cost of a keyword that reads every character of a string. */
const STRING_KEYWORDS = new Set(['minLength', 'maxLength', 'format'])
const READS_PER_STRING_CHARACTER = 1 / 32
/** Cost of listing a key: properties are listed for every object, including absent ones. */
const READS_PER_KEY = 1 / 4
/** The schema library's report of duplicates is quadratic. */
const MAX_UNIQUE_ITEMS = 1_000

/** Checking a value exceeded the budget for its size. */
export class SchemaTooCostly extends Error {
  override readonly name = 'SchemaTooCostly'
}

/** Counts the contents of a value on all levels. */
interface Extent {
  values: number
  characters: number
  longestString: number
  longestList: number
}

function extentOf(value: unknown): Extent {
  const extent: Extent = { values: 0, characters: 0, longestString: 0, longestList: 0 }
  const stack: unknown[] = [value]
  while (stack.length > 0) {
    const next = stack.pop()
    extent.values += 1
    if (typeof next === 'string') {
      extent.characters += next.length
      extent.longestString = Math.max(extent.longestString, next.length)
    } else if (typeof next === 'object' && next !== null) {
      if (Array.isArray(next)) extent.longestList = Math.max(extent.longestList, next.length)
      for (const inner of Object.values(next)) stack.push(inner)
    }
  }
  return extent
}

/**
 * Wraps a schema to count how often it is read while `value` is checked. A few lines of schema can demand exponential
 * work (`anyOf` with references to `anyOf`), and the library interprets the schema, so reads measure the work.
 *
 * Reading it throws {@link SchemaTooCostly}.
 *
 * @throws {@link SchemaTooCostly} for a value of more than 20,000 parts
 */
export function budgeted(schema: Record<string, unknown>, value: unknown): Record<string, unknown> {
  const { values, characters, longestString, longestList } = extentOf(value)
  if (values > MAX_VALUES) throw new SchemaTooCostly(`it has more than ${MAX_VALUES} values`)
  let left = MIN_READS + values * READS_PER_VALUE + characters * READS_PER_CHARACTER
  const counted = new WeakMap<object, object>()

  const spend = (reads: number) => {
    left -= reads
    if (left < 0) throw new SchemaTooCostly('checking against the schema takes too many steps')
  }
  const count = (inner: object): object => {
    const known = counted.get(inner)
    if (known) return known
    const proxy = new Proxy(inner, {
      ownKeys(target) {
        const keys = Reflect.ownKeys(target)
        spend(keys.length * READS_PER_KEY)
        return keys
      },
      get(target, key, receiver) {
        const isStringKeyword = typeof key === 'string' && STRING_KEYWORDS.has(key)
        spend(isStringKeyword ? 1 + longestString * READS_PER_STRING_CHARACTER : 1)
        if (key === 'uniqueItems' && longestList > MAX_UNIQUE_ITEMS) {
          throw new SchemaTooCostly(
            `a list of more than ${MAX_UNIQUE_ITEMS} items cannot be checked for unique items`,
          )
        }
        const held: unknown = Reflect.get(target, key, receiver)
        return isPlain(held) ? count(held) : held
      },
    })
    counted.set(inner, proxy)
    return proxy
  }
  return count(schema) as Record<string, unknown>
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof RegExp)
}
