import { createHeavyWork } from '@troupe/heavy-work'
import { createDocumentReader } from '../src/reader/document-reader.ts'

// Reads one document, and is killed before it comes to an end.
const reader = createDocumentReader({
  heavy: createHeavyWork(),
  maxCharacters: 1000,
  process: { timeoutMs: 3_000 },
})
await reader.read({ path: process.argv[2] ?? '', format: 'doc', owner: 'a' })
