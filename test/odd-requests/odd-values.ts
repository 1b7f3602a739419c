const list = (item: string, count: number) => `[${Array(count).fill(item).join()}]`
const object = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`

/** JSON that no field expects. Texts are encoded as JSON, so that keys and escapes reach the parser. */
export const ODD_JSON: readonly string[] = [
  ...['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"a":null}', '[{}]'],
  // Text that a database or an encoder refuses.
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"a\\ud83d"', '"\\u202e"', '"\\ufeff"'],
  ...[
    '""',
    '"  "',
    '"\\n"',
    '"{{ trigger.body }}"',
    '"{{"',
    '"../../etc/passwd"',
    '"\'; drop table runs; --"',
    '"%"',
  ],
  // Numbers beyond integers of 32 and 53 bits and beyond columns.
  ...[
    '-1',
    '0',
    '-0',
    '0.5',
    '1e308',
    '-1e308',
    '5e-324',
    '2147483648',
    '9007199254740993',
    '18446744073709551616',
  ],
  // Times beyond the calendar and beyond PostgreSQL's.
  ...['"2026-02-30T00:00:00Z"', '"10000-01-01T00:00:00Z"', '"+275760-09-13T00:00:00.000Z"', '"0000-01-01"'],
  ...[
    '"-271821-04-20T00:00:00.000Z"',
    '"2026-01-01T25:00:00Z"',
    '"9999-12-31T23:59:59.999Z"',
    '"P9999999999D"',
  ],
  // Keys that reach prototypes, are empty, or that a database refuses.
  ...[
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":1}}',
    '{"toString":1}',
    '{"":1}',
    '{"\\u0000":1}',
    '{"\\ud800":1}',
  ],
  ...[
    `"${'x'.repeat(50_000)}"`,
    `"${'\\u00e9'.repeat(5_000)}"`,
    list('"a"', 500),
    list('{}', 300),
    object(300),
  ],
  ...[`${'['.repeat(60)}${']'.repeat(60)}`, `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`],
]

/** JSON texts of about 1 MB, with many entries. */
export const LONG_JSON: readonly (() => string)[] = [
  () => list('1', 480_000),
  () => list('{"a":[]}', 100_000),
  () => object(90_000),
  () => list('"\\ud800"', 100_000),
]

/** Odd ids and values, as they appear in a URL. */
export const ODD_IN_URL: readonly string[] = [
  ...['%00', 'a%00', '%ED%A0%80', '%F0%9F%98%80', '%2e%2e%2f', '..', '.', 'a%2Fb', '%25', '%', '%ff', '%0a'],
  ...[
    "'%20or%201=1--",
    'null',
    'undefined',
    'true',
    '-1',
    '0',
    '1e3',
    '1e400',
    '01',
    '2147483648',
    'NaN',
    '+',
  ],
  ...[
    '99999999999999999999',
    '9007199254740993',
    '__proto__',
    'constructor',
    '2026-02-30',
    '2026-02-30T00:00:00Z',
  ],
  ...['9999-12-31T23:59:59.999Z', '10000-01-01T00:00:00Z', '%2B275760-09-13T00:00:00.000Z', '0000-01-01'],
  ...['x'.repeat(900), '', '%20', 'a,b', '[]', '{}', '00000000-0000-4000-8000-000000000000'],
]
