/** The target of the code. */
export interface CalledThing {
  kind: 'agent' | 'team' | 'workflow'
  id: string
  /** Origin of the server, with its path if it has one, without a trailing slash. */
  serverUrl: string
  /** The message to an agent or a team. */
  message: string
  /** The input of a workflow; absent: empty. */
  input?: unknown
}

/** The complete answer in the response, as a stream, or later: a workflow cannot stream an answer. */
export const SNIPPET_STYLES = {
  agent: ['answer', 'stream', 'job'],
  team: ['answer', 'stream', 'job'],
  workflow: ['answer', 'job'],
} as const
export type SnippetStyle = (typeof SNIPPET_STYLES)['agent'][number]

/** A request of the public API, and a program's handling of its response. */
export interface ProgramCall {
  url: string
  /** As JSON, which is a literal of every language here. */
  body: string
  /** The field of the response that is printed. */
  answer: 'content' | 'output'
  /** The field that names a job. */
  jobId: 'jobId' | 'executionId'
  /** The path of a job, without its id. */
  jobs: string
}

const BELOW = {
  agent: { answer: 'run', stream: 'run-stream?detail=answer', job: 'run-async' },
  team: { answer: 'run-sync', stream: 'run-stream?detail=answer', job: 'run-async' },
  workflow: { answer: 'run', stream: 'run', job: 'run-async' },
} as const
const JOBS = { agent: 'jobs', team: 'team-jobs', workflow: 'workflow-jobs' } as const

export function programCall(
  { kind, id, serverUrl, message, input = {} }: CalledThing,
  style: SnippetStyle,
): ProgramCall {
  const isWorkflow = kind === 'workflow'
  return {
    url: `${serverUrl}/api/v1/${kind}s/${id}/${BELOW[kind][style]}`,
    body: JSON.stringify(isWorkflow ? { input } : { message }),
    answer: isWorkflow ? 'output' : 'content',
    jobId: isWorkflow ? 'executionId' : 'jobId',
    jobs: `${serverUrl}/api/v1/${JOBS[kind]}`,
  }
}
