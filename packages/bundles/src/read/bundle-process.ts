import { serveInput } from '@troupe/heavy-work'
import { readBundle } from './read-bundle.ts'
import type { Variables } from './variables.ts'

/** The input of the process. */
export interface ReadRequest {
  text: string
  variables: Variables
}

serveInput(({ text, variables }: ReadRequest) => {
  const { organizations, lines, problems } = readBundle(text, variables)
  return { organizations, lines: lines.entries, problems }
})
