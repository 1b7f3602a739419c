import { serveInput } from '@troupe/heavy-work'
import { readForeign } from './read-foreign.ts'

serveInput(readForeign)
