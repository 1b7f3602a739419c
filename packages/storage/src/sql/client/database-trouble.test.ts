import { expect, test } from 'vitest'
import { databaseTrouble } from './database-trouble.ts'
import { SqlError } from './sql-client.ts'

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code })

test.each([
  [new SqlError(coded('53100', 'could not extend file "base/5/1": No space left on device')), 'storage_full'],
  [new Error('the file was not written', { cause: coded('ENOSPC') }), 'storage_full'],
  [new SqlError(coded('57P01')), 'away'],
  [new SqlError(coded('57014', 'canceling statement due to statement timeout')), 'away'],
  [new SqlError(coded('ECONNREFUSED')), 'away'],
  [new SqlError(new AggregateError([coded('ECONNREFUSED')])), 'away'],
  [new SqlError(new Error('Connection terminated unexpectedly')), 'away'],
  [new SqlError(coded('23505')), null],
  [
    new SqlError(coded('58030', 'could not write to file "pg_wal/1": No space left on device')),
    'storage_full',
  ],
  [new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), null],
  [new Error('a caller wrote: no space left on device'), null],
  [new TypeError('x is not a function'), null],
  ['a text', null],
])('%s is %s', (error, trouble) => {
  expect(databaseTrouble(error)).toBe(trouble)
})
