import { expect, test } from 'vitest'
import { explainConnectError } from './database-unreachable-error.ts'

const coded = (code: string) => Object.assign(new Error('secret detail'), { code })
const URL_TEXT = 'postgres://ann:pass-word@db.test/troupe'

test.each([
  [
    coded('28P01'),
    'PostgreSQL at db.test:5432 refused the password of the user "ann" (28P01). Check DATABASE_URL.',
  ],
  [
    coded('ENOTFOUND'),
    'PostgreSQL at db.test:5432, database "troupe", cannot be reached (ENOTFOUND). Start it, or check DATABASE_URL.',
  ],
  [
    new AggregateError([coded('ECONNREFUSED')]),
    'PostgreSQL at db.test:5432, database "troupe", cannot be reached (ECONNREFUSED). Start it, or check DATABASE_URL.',
  ],
  [
    new Error('timeout expired'),
    'PostgreSQL at db.test:5432, database "troupe", cannot be reached (timeout). Start it, or check DATABASE_URL.',
  ],
])('%s is reported without the password', (error, message) => {
  expect(explainConnectError(error, URL_TEXT)).toMatchObject({ name: 'DatabaseUnreachableError', message })
})

test('a defect is rethrown unchanged', () => {
  const defects = [new TypeError('x is not a function'), coded('42601')]
  for (const defect of defects) expect(explainConnectError(defect, URL_TEXT)).toBe(defect)
})
