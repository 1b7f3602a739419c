import { serveInput } from '@troupe/heavy-work'
import { parseBundle } from './parse-bundle.ts'

serveInput(parseBundle)
