import { expect, test } from 'vitest'
import { askNow } from './ask-now.ts'
import { createQueryClient } from './query-client.ts'

/** A query whose responses have the state of the server at the time of their request. */
function questionOf(server: { state: string }) {
  const client = createQueryClient()
  const answers: (() => void)[] = []
  const options = {
    queryKey: ['getAgent'],
    queryFn: () => {
      const { state } = server
      return new Promise<string>((resolve) => answers.push(() => resolve(state)))
    },
  }
  return { client, options, answers }
}

test('a response is not the one to a request from before the call, whose response is shown first', async () => {
  const server = { state: 'before the save' }
  const { client, options, answers } = questionOf(server)
  const page = client.fetchQuery(options)
  server.state = 'saved'
  const asked = askNow(client, options)
  answers[0]?.()
  expect(await page).toBe('before the save')
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.()
  expect(await asked).toBe('saved')
  expect(client.getQueryData(options.queryKey)).toBe('saved')
  client.clear()
})

test('two calls during one request share the next one, and its failure ends nothing', async () => {
  const server = { state: 'one' }
  const { client, options, answers } = questionOf(server)
  let isBroken = true
  const failing = {
    ...options,
    queryFn: () => (isBroken ? Promise.reject(new Error('broken')) : options.queryFn()),
  }
  const first = client.fetchQuery({ ...failing, retry: false }).catch((error: Error) => error.message)
  const both = [askNow(client, failing), askNow(client, failing)]
  isBroken = false
  expect(await first).toBe('broken')
  await expect.poll(() => answers.length).toBe(1)
  answers[0]?.()
  expect(await Promise.all(both)).toEqual(['one', 'one'])
  expect(answers).toHaveLength(1)
  client.clear()
})
