import { expect, test } from 'vitest'
import { targetOf } from '../testing/open-chain.ts'
import { fetchFor } from './connection-fields.ts'

test.each([
  [{ headers: { 'x-gateway-key': 'secret' } }, 'include'],
  [{ headers: {} }, undefined],
  [{}, undefined],
])('requests of a connection with the settings %j are recognised as carrying credentials or not: %s', async (settings, said) => {
  const { connection } = targetOf('http://127.0.0.1:9/v1', 'm')
  let credentials: string | undefined
  const fetch = fetchFor({ ...connection, settings }, async (_input, init) => {
    credentials = init?.credentials
    return new Response('')
  })
  await fetch('http://127.0.0.1:9/v1/models', { method: 'POST' })
  expect(credentials).toBe(said)
})
