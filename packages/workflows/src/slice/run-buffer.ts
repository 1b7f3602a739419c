import type { Activation, Change, LoopRange, RunState } from '@troupe/graph'
import { jsonBytes, takeChanges } from '@troupe/graph'
import type { NodeTrace } from '../ports/node-handler.ts'
import type { ReviewRequest } from '../ports/review-store.ts'
import type { ClaimedWorkflowRun, StoredIteration, StoredNodeRun } from '../ports/workflow-store.ts'
import { maskPasswords } from '../trace/mask-passwords.ts'
import type { TraceSecrets } from '../trace/trace-secrets.ts'
import { traceValue } from '../trace/trace-value.ts'
import type { AskedReview } from './reviews-of-run.ts'

/** How much is kept before it is committed: so a cancel is seen, and memory stays flat. */
const FLUSH_ROWS = 5_000
const FLUSH_BYTES = 4 * 1024 * 1024
const FLUSH_MS = 250

function keyOf({ path, nodeId }: { path: string; nodeId: string }): string {
  return `${path}\n${nodeId}`
}

/** What the trace tells of a node beside what the graph knows. */
interface Facts {
  attempt: number
  retry: number
  retryAt: number | null
  input: unknown
  agentRunId: StoredNodeRun['agentRunId']
  inputTokens: number
  outputTokens: number
  seq: number
  startedAt: number | null
}

type RowFacts = Pick<StoredNodeRun, 'status' | 'handles' | 'output' | 'error' | 'completedAt'>
const UNDER_WAY = { handles: null, output: null, error: null, completedAt: null }

/** The output of a Loop is that of its iterations, which have rows of their own. */
function outputOf({ output }: { output: unknown }, isLoop: boolean): unknown {
  return isLoop && Array.isArray(output) && output.length > 0 ? null : output
}

/** What a change writes into its node's row; null for one that follows from the others. */
function rowOf(change: Extract<Change, { kind: 'node' }>, isLoop: boolean, now: number): RowFacts | null {
  switch (change.status) {
    case 'completed': {
      const { handles } = change
      const output = outputOf(change, isLoop)
      return { status: 'completed', handles, output, error: null, completedAt: now }
    }
    case 'failed':
      return { ...UNDER_WAY, status: 'failed', error: change.message, completedAt: now }
    case 'waiting':
      return { ...UNDER_WAY, status: 'waiting' }
    default:
      return null
  }
}

/** Of a node that nothing happens to any more. */
function hasEnded({ status }: Pick<StoredNodeRun, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

/**
 * The rows of a run as they change, until they are committed: the graph tells what happened, this keeps it in the shape
 * of the tables. Nodes that are written again (started, then ended) are one row.
 */
export class RunBuffer {
  readonly #now: () => number
  readonly #secrets: TraceSecrets
  readonly #facts = new Map<string, Facts>()
  readonly #rows = new Map<string, StoredNodeRun>()
  /** Keys of the rows that start an effect. */
  readonly #starting = new Set<string>()
  #asked: AskedReview[] = []
  #iterations: StoredIteration[] = []
  /** Of what is not committed; a row that is written twice counts twice. */
  #bytes = 0
  #takenAt: number
  #variables: string
  #seq: number

  constructor(run: ClaimedWorkflowRun, now: () => number, secrets: TraceSecrets) {
    this.#now = now
    this.#secrets = secrets
    this.#variables = JSON.stringify(run.variables)
    this.#takenAt = now()
    this.#seq = run.lastSeq
    for (const row of run.nodeRuns) {
      if (hasEnded(row)) continue
      const { attempt, retry, retryAt, input, agentRunId, inputTokens, outputTokens, seq, startedAt } = row
      const told = { input, agentRunId, inputTokens, outputTokens }
      this.#facts.set(keyOf(row), { attempt, retry, retryAt, ...told, seq, startedAt })
    }
  }

  /** Rows that are not committed. */
  get size(): number {
    return this.#rows.size + this.#iterations.length
  }

  /** Whether it is time to commit, although nothing else asks for it. */
  get isDue(): boolean {
    const isFull = this.size >= FLUSH_ROWS || this.#bytes >= FLUSH_BYTES
    return isFull || this.#now() - this.#takenAt > FLUSH_MS
  }

  /** Tries of an effect that have failed in earlier turns, and when the next one may come (null: at once). */
  triesOf(place: Activation): { retry: number; retryAt: number | null } {
    const { retry = 0, retryAt = null } = this.#facts.get(keyOf(place)) ?? {}
    return { retry, retryAt }
  }

  /** An effect is about to start: its row says so before it does. */
  started(place: Activation): void {
    const known = this.#facts.get(keyOf(place))
    const facts = this.#open(place)
    if (known) facts.attempt = known.attempt + 1
    facts.retryAt = null
    this.#write(place, facts, { ...UNDER_WAY, status: 'running' })
    this.#starting.add(keyOf(place))
  }

  /** An effect has failed and is tried again later, by whoever has the run then. */
  postponed(place: Activation, retry: number, retryAt: number): void {
    const facts = this.#open(place)
    Object.assign(facts, { retry, retryAt })
    this.#write(place, facts, { ...UNDER_WAY, status: 'running' })
  }

  /** What an execution tells of its node. Nobody computes with its input again, so secrets do not rest in it. */
  executed(place: Activation, { input, agentRunId, inputTokens, outputTokens }: NodeTrace): void {
    const facts = this.#open(place)
    facts.input = traceValue(input, this.#secrets)
    this.#bytes += jsonBytes(facts.input)
    facts.agentRunId = agentRunId ?? facts.agentRunId
    facts.inputTokens += inputTokens
    facts.outputTokens += outputTokens
  }

  /**
   * A node begins to wait for people: what it asks them goes to the review as it is, whatever its row tells. Only what was
   * filled into a password field is nothing that reviewers see.
   */
  asked({ path, nodeId }: Activation, request: ReviewRequest): void {
    const show = request.show.map(({ label, value }) => ({
      label,
      value: maskPasswords(value, this.#secrets),
    }))
    this.#asked.push({ path, nodeId, request: { ...request, show } })
    this.#bytes += jsonBytes(request)
  }

  /** A Loop was opened: what it repeats over must survive, because it is asked for once. */
  opened(place: Activation, range: LoopRange): void {
    const facts = this.#open(place)
    facts.input = range
    this.#bytes += jsonBytes(range)
    this.#write(place, facts, { ...UNDER_WAY, status: 'running' })
  }

  /** Takes what the graph says has happened. */
  collect(state: RunState): void {
    for (const change of takeChanges(state)) {
      const isLoop = state.graph.nodes.get(change.nodeId)?.role === 'loop'
      this.#collect(change, isLoop)
    }
  }

  #collect(change: Change, isLoop: boolean): void {
    if ('bytes' in change) this.#bytes += change.bytes
    if (change.kind === 'iteration') {
      const { path, nodeId, index, output } = change
      this.#iterations.push({ path, nodeId, index, output })
      return
    }
    const row = rowOf(change, isLoop, this.#now())
    if (!row) return
    const facts = this.#open(change)
    // A Loop that has ended is not asked again: what it repeated over is trace like any other input.
    if (isLoop && hasEnded(row)) facts.input = traceValue(facts.input, this.#secrets)
    this.#write(change, facts, row)
  }

  #open(place: { path: string; nodeId: string }): Facts {
    const key = keyOf(place)
    const known = this.#facts.get(key)
    if (known) return known
    this.#seq += 1
    const facts: Facts = {
      attempt: 1,
      retry: 0,
      retryAt: null,
      input: null,
      agentRunId: null,
      inputTokens: 0,
      outputTokens: 0,
      seq: this.#seq,
      startedAt: this.#now(),
    }
    this.#facts.set(key, facts)
    return facts
  }

  #write({ path, nodeId }: { path: string; nodeId: string }, facts: Facts, row: RowFacts): void {
    this.#rows.set(keyOf({ path, nodeId }), { path, nodeId, ...facts, ...row })
  }

  /** Everything that is not committed. */
  take(state: RunState): {
    nodeRuns: StoredNodeRun[]
    starting: StoredNodeRun[]
    iterations: StoredIteration[]
    asked: AskedReview[]
    variables: Record<string, unknown> | null
  } {
    const starts = Object.groupBy(this.#rows, ([key]) => (this.#starting.has(key) ? 'yes' : 'no'))
    const { yes: starting = [], no: nodeRuns = [] } = starts
    const iterations = this.#iterations
    const asked = this.#asked
    for (const [key, row] of this.#rows) if (hasEnded(row)) this.#facts.delete(key)
    this.#takenAt = this.#now()
    this.#bytes = 0
    this.#rows.clear()
    this.#starting.clear()
    this.#iterations = []
    this.#asked = []
    const variables = Object.fromEntries(state.variables)
    const text = JSON.stringify(variables)
    const changed = text !== this.#variables
    this.#variables = text
    return {
      nodeRuns: nodeRuns.map(([, row]) => row),
      starting: starting.map(([, row]) => row),
      iterations,
      asked,
      variables: changed ? variables : null,
    }
  }
}
