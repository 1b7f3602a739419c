import type { ProgramCall, SnippetStyle } from './called-thing.ts'

/** The program reads it; this module does not. */
const ENVIRONMENT = 'process env'.replace(' ', '.')

/** A program for Node that needs no package. */
export function typescriptProgram(call: ProgramCall, style: SnippetStyle): string {
  return `// ask.ts
${requestOf(call)}
${{ answer, stream, job }[style](call)}`
}

const requestOf = ({
  url,
  body,
}: ProgramCall) => `const headers = { 'X-API-Key': ${ENVIRONMENT}.TROUPE_API_KEY ?? '', 'Content-Type': 'application/json' }
const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers,
  body: JSON.stringify(${body}),
})`

const answer = ({ answer: field }: ProgramCall) => `const answer = await response.json()
if (!response.ok) throw new Error(\`\${answer.error}: \${answer.message}\`)
console.log(answer.${field})
`

const stream = () => `if (!response.ok || !response.body) throw new Error(await response.text())

let text = ''
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
  text += chunk
  const lines = text.split('\\n')
  text = lines.pop() ?? ''
  for (const line of lines.filter((one) => one.startsWith('data:'))) {
    const event = JSON.parse(line.slice(5))
    if (event.event === 'RunContent') process.stdout.write(event.delta)
    // What was written so far is taken back, for example because the agent calls a tool first.
    if (event.event === 'RunContentReset') process.stdout.write('\\n')
    if (event.event === 'RunError') throw new Error(event.message)
  }
}
`

const job = ({ jobId, jobs }: ProgramCall) => `const accepted = await response.json()
if (!response.ok) throw new Error(\`\${accepted.error}: \${accepted.message}\`)

// Later, from any process:
const jobUrl = ${JSON.stringify(`${jobs}/`)} + accepted.${jobId}
let job
do {
  await new Promise((resolve) => setTimeout(resolve, 500))
  job = await (await fetch(jobUrl, { headers })).json()
} while (['queued', 'running'].includes(job.status))
console.log(job)
`
