import { expect, test } from 'vitest'
import { addressWarnings } from './source-check.ts'

const tool = (n: number) => ({ type: 'openapi', name: `t${n}`, spec_url: `https://api.example/${n}.json` })

test('two addresses are requested concurrently, each once, and at most 20 of them', async () => {
  let [open, most] = [0, 0]
  const asked: string[] = []
  const check = {
    async addressFindings({ address }: { address: string }) {
      asked.push(address)
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setImmediate(resolve))
      open -= 1
      return {
        problem: null,
        leftOut: [{ name: address.slice('https://api.example/'.length), reason: 'Its body is a file.' }],
      }
    },
  }
  const tools = [...Array.from({ length: 64 }, (_, n) => tool(n)), tool(3)]
  const warnings = await addressWarnings(check, [{ owner: 'o', path: '', tools }])
  expect(most).toBe(2)
  expect(asked).toEqual(Array.from({ length: 20 }, (_, n) => `https://api.example/${n}.json`))
  expect(warnings).toHaveLength(65)
  expect(warnings[3]).toEqual({
    path: 'config.tools.3.spec_url',
    message: 'offers no tool 3.json: Its body is a file.',
  })
  expect(warnings[64]).toEqual({ ...warnings[3], path: 'config.tools.64.spec_url' })
  expect(warnings[20]?.message).toContain('Only 20 addresses are read per save')
})
