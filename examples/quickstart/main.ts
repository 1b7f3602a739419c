import { createClient, TroupeError } from '@troupe/client'
import { quickstart } from './quickstart.ts'

const { TROUPE_API_KEY, TROUPE_URL = 'http://localhost:3000' } = process.env
if (!TROUPE_API_KEY) {
  process.stderr.write('Set TROUPE_API_KEY to the key that `npm start` printed.\n')
  process.exit(1)
}

try {
  const client = createClient({ baseUrl: TROUPE_URL, apiKey: TROUPE_API_KEY })
  await quickstart(client, (text) => process.stdout.write(text))
} catch (error) {
  process.stderr.write(`${error instanceof TroupeError ? error.message : String(error)}\n`)
  process.exitCode = 1
}
