import { jsonBytes } from '@troupe/contract'
import type { Activation, Change, LoopRange, RunState } from '@troupe/graph'
import { takeChanges } from '@troupe/graph'
import type { NodeTrace } from '../ports/node-handler.ts'
import type { ReviewRequest } from '../ports/review-store.ts'
import type { ClaimedWorkflowRun, StoredIteration, StoredNodeRun } from '../ports/workflow-store.ts'
import { maskPasswords } from '../trace/mask-passwords.ts'
import type { TraceSecrets } from '../trace/trace-secrets.ts'
import { traceValue } from '../trace/trace-value.ts'
import type { AskedReview } from './reviews-of-run.ts'

/** Maximum buffered rows before a commit: frequent commits notice a cancel and keep memory flat. */
const FLUSH_ROWS = 5_000
const FLUSH_BYTES = 4 * 1024 * 1024
const FLUSH_MS = 250

function keyOf({ path, nodeId }: { path: string; nodeId: string }): string {
  return `${path}\n${nodeId}`
}

/** Trace data of a node beyond the graph's. */
interface Facts {
  attempt: number
  retry: number
  retryAt: number | null
  input: unknown
  agentRunId: StoredNodeRun['agentRunId']
  note: string | null
  inputTokens: number
  outputTokens: number
  seq: number
  startedAt: number | null
}

type RowFacts = Pick<StoredNodeRun, 'status' | 'handles' | 'output' | 'error' | 'completedAt' | 'seeded'>
const UNDER_WAY = { handles: null, output: null, error: null, completedAt: null, seeded: false }

/** A Loop's output is stored with its iterations, which have their own rows. A seeded Loop has none. */
function outputOf({ output, isSeeded }: { output: unknown; isSeeded?: true }, isLoop: boolean): unknown {
  return isLoop && !isSeeded && Array.isArray(output) && output.length > 0 ? null : output
}

/** The change's content for its node's row; null for a change that follows from others. */
function rowOf(change: Extract<Change, { kind: 'node' }>, isLoop: boolean, now: number): RowFacts | null {
  switch (change.status) {
    case 'completed': {
      const { handles } = change
      const output = outputOf(change, isLoop)
      const seeded = change.isSeeded === true
      return { status: 'completed', handles, output, error: null, completedAt: now, seeded }
    }
    case 'failed':
      return { ...UNDER_WAY, status: 'failed', error: change.message, completedAt: now }
    case 'waiting':
      return { ...UNDER_WAY, status: 'waiting' }
    default:
      return null
  }
}

/** Whether a node has reached its final state. */
function hasEnded({ status }: Pick<StoredNodeRun, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

/**
 * The uncommitted row changes of a run: collects the graph's events in the shape of the tables. A node
 * written repeatedly (started, then ended) stays one row.
 */
export class RunBuffer {
  readonly #now: () => number
  readonly #secrets: TraceSecrets
  readonly #facts = new Map<string, Facts>()
  readonly #rows = new Map<string, StoredNodeRun>()
  /** Keys of the rows that start an effect. */
  readonly #starting = new Set<string>()
  /** Keys of nodes that have waited and continue. */
  readonly #goingOn = new Set<string>()
  #asked: AskedReview[] = []
  #iterations: StoredIteration[] = []
  /** Size of the uncommitted rows; a row that is written twice counts twice. */
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
      const told = { input, agentRunId, note: row.note ?? null, inputTokens, outputTokens }
      this.#facts.set(keyOf(row), { attempt, retry, retryAt, ...told, seq, startedAt })
    }
  }

  /** Uncommitted rows. */
  get size(): number {
    return this.#rows.size + this.#iterations.length
  }

  /** Whether the buffer is large or old enough to commit for that reason alone. */
  get isDue(): boolean {
    const isFull = this.size >= FLUSH_ROWS || this.#bytes >= FLUSH_BYTES
    return isFull || this.#now() - this.#takenAt > FLUSH_MS
  }

  /** Failed attempts of an effect in earlier turns, and when the next one may start (null: immediately). */
  triesOf(place: Activation): { retry: number; retryAt: number | null } {
    const { retry = 0, retryAt = null } = this.#facts.get(keyOf(place)) ?? {}
    return { retry, retryAt }
  }

  /** Marks an effect as starting: its row records that before it starts. */
  started(place: Activation): void {
    const known = this.#facts.get(keyOf(place))
    const facts = this.#open(place)
    if (known && !this.#goingOn.delete(keyOf(place))) facts.attempt = known.attempt + 1
    facts.retryAt = null
    this.#write(place, facts, { ...UNDER_WAY, status: 'running' })
    this.#starting.add(keyOf(place))
  }

  /** Records a failed effect for a later retry, by the worker that then holds the run. */
  postponed(place: Activation, retry: number, retryAt: number): void {
    const facts = this.#open(place)
    Object.assign(facts, { retry, retryAt })
    this.#write(place, facts, { ...UNDER_WAY, status: 'running' })
  }

  /** Records that a node's run waits for approvals: the node continues with the same run. */
  waits(place: Activation, retry: number): void {
    this.#open(place).retry = retry
  }

  /** The run that a waiting node waits for; null if none. */
  waitingRunOf(place: { path: string; nodeId: string }): StoredNodeRun['agentRunId'] {
    return this.#facts.get(keyOf(place))?.agentRunId ?? null
  }

  /** Records that a waiting node continues: its next start is not a further attempt. */
  goesOn(place: { path: string; nodeId: string }): void {
    this.#goingOn.add(keyOf(place))
  }

  /**
   * Records the trace of an execution. The input is never read back, so secrets are masked before it is
   * stored.
   */
  executed(place: Activation, { input, agentRunId, inputTokens, outputTokens, note }: NodeTrace): void {
    const facts = this.#open(place)
    facts.input = traceValue(input, this.#secrets)
    this.#bytes += jsonBytes(facts.input)
    facts.agentRunId = agentRunId ?? facts.agentRunId
    facts.note = note ?? facts.note
    facts.inputTokens += inputTokens
    facts.outputTokens += outputTokens
  }

  /**
   * A node starts to wait for reviewers. The review gets the original content whatever the trace masks; only
   * values of password fields are hidden from reviewers.
   */
  asked({ path, nodeId }: Activation, request: ReviewRequest): void {
    const show = request.show.map(({ label, value }) => ({
      label,
      value: maskPasswords(value, this.#secrets),
    }))
    this.#asked.push({ path, nodeId, request: { ...request, show } })
    this.#bytes += jsonBytes(request)
  }

  /** Stores the items of an opened Loop: they are evaluated once and must survive the turn. */
  opened(place: Activation, range: LoopRange): void {
    const facts = this.#open(place)
    facts.input = range
    this.#bytes += jsonBytes(range)
    this.#write(place, facts, { ...UNDER_WAY, status: 'running' })
  }

  /** Records the graph's events. */
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
    // An ended Loop never reads its items again, so they are traced like any other input.
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
      note: null,
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

  /** Everything uncommitted. */
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
