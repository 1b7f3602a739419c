import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.for<[markdown: string, text: string]>([
  ['**Triage.** Reads *every* ticket.', 'Triage. Reads every ticket.'],
  ['## Rules\n- **first**\n- second\n> quoted', 'Rules\nfirst\nsecond\nquoted'],
  ['> - nested', 'nested'],
  ['1. one\n2. two', '1. one\n2. two'],
  ['Call `search_docs` or ``a ` b``', 'Call search_docs or a ` b'],
  ['[the **page**](https://a.test) and ![a picture](b.png)', 'the page and a picture'],
  ['snake_case_name, 2 * 3 and **open', 'snake_case_name, 2 * 3 and **open'],
  ['before\n```js\nconst a = b ** 2\n```\nafter', 'before\nconst a = b ** 2\nafter'],
  ['above\n\n---\n\nbelow', 'above\n\n\nbelow'],
  ['***both***', 'both'],
  ['{{ input.text }} <b>', '{{ input.text }} <b>'],
  ['', ''],
])('%s', ([markdown, text]) => {
  expect(plainText(markdown)).toBe(text)
})
