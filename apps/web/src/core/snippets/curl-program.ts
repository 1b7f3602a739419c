import type { ProgramCall, SnippetStyle } from './called-thing.ts'
import { shellWord } from './shell-word.ts'

/** A command for a POSIX shell. */
export function curlProgram({ url, body, jobId, jobs }: ProgramCall, style: SnippetStyle): string {
  const flags = style === 'stream' ? 'N' : ''
  const call = `curl -s${flags} ${shellWord(url)} \\
  -H "X-API-Key: $TROUPE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shellWord(body)}`
  if (style !== 'job') return call
  return `${call}

# The answer has a ${jobId}. Ask with it for the result:
curl -s "${jobs}/$JOB_ID" \\
  -H "X-API-Key: $TROUPE_API_KEY"`
}
