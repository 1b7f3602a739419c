/** A family of texts of increasing length. */
export interface Adversary {
  name: string
  textOf(size: number): string
}

/** `unit` repeated, then `end`. */
export function repeated(unit: string, end = ''): Adversary {
  return {
    name: JSON.stringify(unit.slice(0, 40)) + (end === '' ? '' : ` then ${JSON.stringify(end)}`),
    textOf: (size) => unit.repeat(Math.ceil(size / unit.length)) + end,
  }
}

/** Nested `unit`s: openers, then as many closers. */
function nested(open: string, close: string): Adversary {
  return {
    name: `${open} nested in ${close}`,
    textOf: (size) => {
      const depth = Math.ceil(size / (open.length + close.length))
      return open.repeat(depth) + close.repeat(depth)
    },
  }
}

/** Long runs of one character, surrogate pairs, and unpaired surrogates. */
const RUNS = [
  'a', 'A', '0', '1', ' ', '\t', '\n', '\r\n', '.', '-', '_', '/', ':', '@', '=', '&', '#', '*', '`', '<', '>', '(', ')',
  '[', ']', '{', '}', '"', "'", '\\', '|', ',', ';', '!', '?', '%', '+', '~', '^', '$', '\0', 'é', 'ß', '\u00a0',
  '\u200b', '\u202e', '\u{1f600}', '\ud83d', '\ude00', 'e\u0301',
] // biome-ignore format: a list of characters

/** Prefixes searched by code of this repository, or a library that it uses; each is almost a match when repeated. */
const ALMOST = [
  // Secrets, as searched by traces.
  'eyJ', 'eyJ-', 'eyJaaaaaaaa.', 'eyJaaaaaaaa.eyJ', 'eyJaaaaaaaa.eyJaaaaaaaa.', 'Bearer ', 'bearer  a', 'Basic ',
  'Digest ', '//a:', 'http://a:b', '//:@', 'trp_', 'whs_', 'sk-', 'sk_a-', 'ghp_', 'ghp_-', 'xoxb-', 'AKIA', 'AIza',
  'SG.', 'SG.aaaaaaaaaaaaaaaa.', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----', '-----BEGIN RSA PRIVATE KEY-----\na',
  // Markdown and links.
  'http://a.b/(', 'https://', 'www.', 'a@b.', 'mailto:a@', '[a](', '![a](', '[a][', '<a ', '<!--', '```', '~~~\n',
  '* * ', '- ', '> ', '1. ', '# ', '|a|\n|-|\n', '**a ', '_a ', '*_', '&#', '&amp;', '\\[', '[[', '[x]: <',
  // Templates, JSON, YAML and directives.
  '{{', '{{ a', '{{ trigger.', '\\{{', '{{ }}', '{"a":', '[[', '{"a":[', '"\\u', '[[tool: a {', '[[reply: ', '[[delay: 1',
  '${', '$${', '${A', '&a ', '*a ', '- - ', '? ', 'a: ', '!!x ', '|\n ', '%YAML ', '--- ', '\t- ',
  // Numbers, dates, addresses, patterns, paths and cron.
  '1.', '1e', '1,', '2026-01-', '2026-01-01T', '1.1.1.', '::', 'a.b', 'a..', '../', '%2e', '%', '%E0%A4', '* ', '*/1 ',
  '1-2,', 'a{1,', '(a', '(?:', '[a-', 'x{9}', 'data: ', 'data:x\n', '\n\n', 'event: ', 'Content-Type: ', 'a=b; ', 'a=',
] // biome-ignore format: a list of prefixes

/** Ends of a text after which everything before it almost matched. */
const ENDS = ['', '!', '\n', ']]', '"', ')', '@', 'x']

/** The texts for every function. */
export const ADVERSARIES: readonly Adversary[] = [
  ...RUNS.map((unit) => repeated(unit)),
  ...RUNS.slice(0, 12).map((unit) => repeated(unit, 'x!')),
  ...ALMOST.map((unit, index) => repeated(unit, ENDS[index % ENDS.length])),
  ...['()', '[]', '{}', '<>', '""'].map((pair) => nested(pair.charAt(0), pair.charAt(1))),
  nested('[[tool: a {', '}]]'),
  nested('{"a":', '}'),
  nested('> ', '\n'),
  nested('**', '**'),
]
