import type { Activation, Change, LoopRange, RunState } from '@troupe/graph'
import { takeChanges } from '@troupe/graph'
import type { NodeTrace } from '../ports/node-handler.ts'
import type { ClaimedWorkflowRun, StoredIteration, StoredNodeRun } from '../ports/workflow-store.ts'
import type { TraceSecrets } from './trace/trace-secrets.ts'
import { traceValue } from './trace/trace-value.ts'

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

/** What a change writes into its node's row; null for one that follows from the others. */
function rowOf(change: Extract<Change, { kind: 'node' }>, now: number): RowFacts | null {
  switch (change.status) {
    case 'completed': {
      const { handles, output } = change
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
  #iterations: StoredIteration[] = []
  #variables: string
  #seq: number

  constructor(run: ClaimedWorkflowRun, now: () => number, secrets: TraceSecrets) {
    this.#now = now
    this.#secrets = secrets
    this.#variables = JSON.stringify(run.variables)
    this.#seq = run.nodeRuns.reduce((highest, row) => Math.max(highest, row.seq), 0)
    for (const row of run.nodeRuns) {
      const { attempt, retry, retryAt, input, agentRunId, inputTokens, outputTokens, seq, startedAt } = row
      const told = { input, agentRunId, inputTokens, outputTokens }
      this.#facts.set(keyOf(row), { attempt, retry, retryAt, ...told, seq, startedAt })
    }
  }

  /** Rows that are not committed. */
  get size(): number {
    return this.#rows.size + this.#iterations.length
  }

  /** How often an effect has been started, this time included. */
  attemptOf(place: Activation): number {
    return this.#facts.get(keyOf(place))?.attempt ?? 1
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
    facts.agentRunId = agentRunId ?? facts.agentRunId
    facts.inputTokens += inputTokens
    facts.outputTokens += outputTokens
  }

  /** A Loop was opened: what it repeats over must survive, because it is asked for once. */
  opened(place: Activation, range: LoopRange): void {
    const facts = this.#open(place)
    facts.input = range
    this.#write(place, facts, { ...UNDER_WAY, status: 'running' })
  }

  /** Takes what the graph says has happened. */
  collect(state: RunState): void {
    for (const change of takeChanges(state)) this.#collect(change)
  }

  #collect(change: Change): void {
    if (change.kind === 'iteration') {
      const { path, nodeId, index, output } = change
      this.#iterations.push({ path, nodeId, index, output })
      return
    }
    const row = rowOf(change, this.#now())
    if (row) this.#write(change, this.#open(change), row)
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
    variables: Record<string, unknown> | null
  } {
    const starts = Object.groupBy(this.#rows, ([key]) => (this.#starting.has(key) ? 'yes' : 'no'))
    const { yes: starting = [], no: nodeRuns = [] } = starts
    const iterations = this.#iterations
    this.#rows.clear()
    this.#starting.clear()
    this.#iterations = []
    const variables = Object.fromEntries(state.variables)
    const text = JSON.stringify(variables)
    const changed = text !== this.#variables
    this.#variables = text
    return {
      nodeRuns: nodeRuns.map(([, row]) => row),
      starting: starting.map(([, row]) => row),
      iterations,
      variables: changed ? variables : null,
    }
  }
}
