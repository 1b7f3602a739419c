/** Type ids of the values that statements of this program return. */
const BOOL = 16
const INT8 = 20
const INT2 = 21
const INT4 = 23
const JSON_TYPE = 114
const FLOAT8 = 701
const INT4_ARRAY = 1007
const TIMESTAMPTZ = 1184
const NUMERIC = 1700
const JSONB = 3802

function integers(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
}

/**
 * The single place that parses result text into JavaScript values. By default the drivers differ: one returns
 * `bigint` as a string, the other as a number or BigInt. Types that are not listed stay text. `bigint` and
 * `numeric` become numbers: every count, cost and size here is far below 2^53.
 */
export const RESULT_PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => text === 't',
  [INT8]: Number,
  [INT2]: Number,
  [INT4]: Number,
  [FLOAT8]: Number,
  [NUMERIC]: Number,
  [JSON_TYPE]: (text) => JSON.parse(text),
  [JSONB]: (text) => JSON.parse(text),
  [INT4_ARRAY]: integers,
  [TIMESTAMPTZ]: (text) => new Date(text),
}
