import { serveInput } from '@troupe/heavy-work'
import { readOperations } from './read-operations.ts'

serveInput(readOperations)
