import { curlCommand } from './curl.ts'

export const CALL_LANGUAGES = ['curl', 'typescript', 'python'] as const
export type CallLanguage = (typeof CALL_LANGUAGES)[number]

/** What callers run, and in which ways; a workflow has no stream of an answer. */
export const CALL_WAYS = {
  agent: ['wait', 'stream', 'job'],
  team: ['wait', 'stream', 'job'],
  workflow: ['wait', 'job'],
} as const
export type CallKind = keyof typeof CALL_WAYS
export type CallWay = (typeof CALL_WAYS)['agent'][number]

/** A call of the public API, to be shown as code. */
export interface SnippetCall {
  /** Origin of the server, without a slash at its end. */
  baseUrl: string
  kind: CallKind
  id: string
  way: CallWay
}

const MESSAGE = 'Hello! What can you do?'
const KEY = '$TROUPE_API_KEY'
const PATHS = {
  agent: { wait: 'run', stream: 'run-stream', job: 'run-async' },
  team: { wait: 'run-sync', stream: 'run-stream', job: 'run-async' },
  workflow: { wait: 'run', stream: 'run', job: 'run-async' },
} as const
const JOBS = { agent: 'jobs', team: 'team-jobs', workflow: 'workflow-jobs' } as const

/** Code that calls an agent, a team or a workflow, and works as it is once the key is in the environment. */
export function runSnippet(language: CallLanguage, call: SnippetCall): string {
  return { curl: curlSnippet, typescript: typescriptSnippet, python: pythonSnippet }[language](call)
}

/** How the client of a language is installed from a copy of the repository; null: it needs none. */
export function installSnippet(language: CallLanguage): string | null {
  if (language === 'curl') return null
  return language === 'python' ? 'pip install ./clients/python' : 'npm install ./packages/client'
}

function curlSnippet({ baseUrl, kind, id, way }: SnippetCall): string {
  const start = curlCommand({
    method: 'POST',
    url: `${baseUrl}/api/v1/${kind}s/${id}/${PATHS[kind][way]}`,
    headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
    body: kind === 'workflow' ? { input: {} } : { message: MESSAGE },
    isStream: way === 'stream',
  })
  if (way !== 'job') return start
  const idField = kind === 'workflow' ? 'executionId' : 'jobId'
  // The id comes from the first answer, so the shell puts it in.
  const poll = `curl "${baseUrl}/api/v1/${JOBS[kind]}/$JOB_ID" \\\n  -H "X-API-Key: ${KEY}"`
  return `${start}\n\n# The answer has a ${idField}. Ask with it for the result:\n${poll}`
}

function typescriptSnippet({ baseUrl, kind, id, way }: SnippetCall): string {
  const body = kind === 'workflow' ? '{ input: {} }' : `{ message: '${MESSAGE}' }`
  const noun = `client.${kind}s`
  const calls: Record<CallWay, string> = {
    wait:
      kind === 'workflow'
        ? `const run = await unwrap(${noun}.run(${kind}Id, ${body}))\nconsole.log(run.status, run.output)`
        : `const answer = await unwrap(${noun}.run(${kind}Id, ${body}))\nconsole.log(answer.content)`,
    stream: `const stream = await unwrap(${noun}.stream(${kind}Id, ${body}))
for await (const { delta, reset } of stream.text) process.stdout.write(reset ? '\\n' : delta)
console.log(await stream.result())`,
    job: `const accepted = await unwrap(${noun}.runAsync(${kind}Id, ${body}))
// Later, from any process:
const job = await unwrap(${noun}.job(accepted.${kind === 'workflow' ? 'executionId' : 'jobId'}))
console.log(job.status)`,
  }
  return `import { createClient, unwrap } from '@troupe/client'

const client = createClient({
  baseUrl: '${baseUrl}',
  apiKey: process.env.TROUPE_API_KEY ?? '',
})
const ${kind}Id = '${id}'

${calls[way]}`
}

function pythonSnippet({ baseUrl, kind, id, way }: SnippetCall): string {
  const body = kind === 'workflow' ? 'input={}' : `message=${JSON.stringify(MESSAGE)}`
  const run = { agent: 'run_agent', team: 'run_team_sync', workflow: 'run_workflow' }[kind]
  const calls: Record<CallWay, string> = {
    wait:
      kind === 'workflow'
        ? `    run = client.${run}("${id}", ${body})\n    print(run["status"], run["output"])`
        : `    answer = client.${run}("${id}", ${body})\n    print(answer["content"])`,
    stream: `    for event in client.run_${kind}_stream("${id}", ${body}):
        if event["event"] == "RunContent":
            print(event["delta"], end="", flush=True)`,
    job: `    accepted = client.run_${kind}_async("${id}", ${body})
    # Later, from any process:
    job = client.get_${kind}_job(accepted["${kind === 'workflow' ? 'executionId' : 'jobId'}"])
    print(job["status"])`,
  }
  return `import os

from troupe import Troupe

with Troupe("${baseUrl}", os.environ["TROUPE_API_KEY"]) as client:
${calls[way]}`
}
