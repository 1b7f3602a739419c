import { expect, test } from 'vitest'
import { calculator } from './calculator.ts'
import { datetime } from './datetime.ts'

const CALL = { id: 'call_0_0', key: 'call:0.0', signal: new AbortController().signal }
const calculate = (expression: unknown) => calculator().execute({ expression }, CALL, {})

test.each([
  ['1 + 2 * 3', '7'],
  ['(1 + 2) * 3', '9'],
  ['2 ^ 3 ^ 2', '512'],
  ['-2 ^ 2', '-4'],
  ['(-2) ^ 2', '4'],
  ['0.1 + 0.2', '0.3'],
  ['10 % 4 - 1', '1'],
  ['sqrt(2) ^ 2', '2'],
  ['max(1, 5, 3) + min(2, 1)', '6'],
  ['round(2.345, 2)', '2.35'],
  ['2 * PI', '6.28318530717959'],
  ['1e3', '1000'],
])('%s is %s', async (expression, text) => {
  expect(await calculate(expression)).toEqual({ ok: true, text })
})

const CANNOT = /^The expression cannot be calculated: use numbers, /

test.each([
  ['1 +', CANNOT],
  ['1 / 0', 'The result is not a finite number.'],
  ['constructor', CANNOT],
  ['process.exit(1)', CANNOT],
  ['random()', CANNOT],
  ['fac(170)', CANNOT],
  ['[1]', 'The result is not a finite number.'],
  ['"a" + 1', 'The result is not a finite number.'],
  ['abs', 'The result is not a finite number.'],
  ['x = 2', CANNOT],
  ['1'.repeat(1_001), 'The expression has more than 1000 characters.'],
  ['('.repeat(900), CANNOT],
])('%s is refused', async (expression, message) => {
  expect(await calculate(expression)).toMatchObject({
    ok: false,
    code: 'invalid_arguments',
    message: expect.stringMatching(message),
  })
})

const winter = { now: () => Date.UTC(2026, 0, 15, 23, 30) }
const timeIn = (input: Record<string, unknown>) => datetime(winter, 'Europe/Berlin').execute(input, CALL, {})

test("the time is returned in the agent's time zone, or in another one", async () => {
  expect(await timeIn({})).toEqual({
    ok: true,
    text: '{"dateTime":"2026-01-16T00:30:00+01:00","weekday":"Friday","timezone":"Europe/Berlin"}',
  })
  expect(await timeIn({ timezone: 'UTC' })).toEqual({
    ok: true,
    text: '{"dateTime":"2026-01-15T23:30:00+00:00","weekday":"Thursday","timezone":"UTC"}',
  })
})

test('an unknown time zone is an invalid argument', async () => {
  expect(await timeIn({ timezone: 'Mars/Olympus' })).toMatchObject({ ok: false, code: 'invalid_arguments' })
})
