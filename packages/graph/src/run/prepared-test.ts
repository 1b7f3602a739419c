import { flowHandles } from '../compile/always-with.ts'
import type { CompiledGraph, FlowNode, Level } from '../compile/compiled-graph.ts'
import { iterationPath, readFramePath } from './frame-path.ts'
import { BUILDER_ORDER, type RunStart, startedTriggers } from './run-start.ts'
import type { MissingReason, PlannedIterations, Seed, TestOfRun, TestScope } from './test-run.ts'

/**
 * The part of a node in one frame. `out`: it does not take part. `live`: it is executed. `given`: the scope needs its result; an
 * effect is seeded, a pure node is computed again. `opened`: a Loop around the step of the scope.
 */
export type Part = 'out' | 'live' | 'given' | 'opened'

/** The parts of the nodes of a frame. */
export interface Standing {
  /**
   * `chosen`: the frame of the step of the scope, or one around it. In all other frames, all nodes have the same part.
   */
  mode: 'live' | 'given' | 'chosen'
  /** Number of chosen iterations around the frame; meaningful when `chosen`. */
  depth: number
  level: Level
  iterations: PlannedIterations
}

/** The decision for a node that becomes ready. */
export type Decision =
  | { kind: 'out' }
  | { kind: 'execute' }
  | { kind: 'seed'; seed: Seed; handles: readonly string[] }
  /** `seed`: the one that does not fit; null if there is none. */
  | { kind: 'fault'; reason: MissingReason; seed: Seed | null }

const OUT: Decision = { kind: 'out' }
const EXECUTE: Decision = { kind: 'execute' }

/** An iteration around the step of a scope. */
export interface ChosenIteration {
  loop: FlowNode
  /** The frame that contains the Loop. */
  around: string
  index: number
  /** The frame of the iteration. */
  path: string
}

/** The Loops around a node, outermost first. */
function loopsAround(node: FlowNode): FlowNode[] {
  const found: FlowNode[] = []
  for (let loop = node.level.loop; loop; loop = loop.level.loop) found.unshift(loop)
  return found
}

/**
 * The iterations around the step of a scope, outermost first: those of its path, or the first of each Loop. Null if the
 * step cannot be in these iterations.
 */
export function chosenIterations(target: FlowNode, path: string | null): ChosenIteration[] | null {
  const loops = loopsAround(target)
  const named = path === null ? loops.map(({ id }) => ({ loopId: id, index: 0 })) : readFramePath(path)
  if (named?.length !== loops.length) return null
  const chosen: ChosenIteration[] = []
  for (const [depth, loop] of loops.entries()) {
    const { loopId, index } = named[depth] ?? {}
    if (loopId !== loop.id || index === undefined) return null
    const around = chosen.at(-1)?.path ?? ''
    chosen.push({ loop, around, index, path: iterationPath(around, loop, index) })
  }
  return chosen
}

/** The given nodes with everything before or after them, on their level. */
function withNeighbours(starts: Iterable<FlowNode>, direction: 'before' | 'behind'): Set<FlowNode> {
  const found = new Set(starts)
  for (const node of found) {
    if (direction === 'before') for (const { source } of node.incoming) found.add(source)
    else for (const { target } of node.out) found.add(target)
  }
  return found
}

/** The parts of the nodes of a level whose `anchor` is the step of the scope or the Loop around it. */
function partsAround(anchor: FlowNode, kind: TestScope['kind'], isTarget: boolean): Part[] {
  const { level } = anchor
  const own: Part = isTarget ? 'live' : 'opened'
  const before = withNeighbours([anchor], 'before')
  const behind = kind === 'from' ? withNeighbours([anchor], 'behind') : new Set([anchor])
  const needed = withNeighbours(behind, 'before')
  return level.nodes.map((node) => {
    if (node === anchor) return own
    if (kind === 'from') {
      if (behind.has(node)) return 'live'
      // The output of an iteration is that of all ends of its body.
      return needed.has(node) || level.loop !== null ? 'given' : 'out'
    }
    if (!before.has(node)) return 'out'
    return kind === 'until' ? 'live' : 'given'
  })
}

/**
 * A test run prepared for its graph: decides for each node that becomes ready whether it is executed or takes a seed.
 * Stateless; the run and its plan make the same decisions.
 */
export class PreparedTest {
  readonly graph: CompiledGraph
  readonly scope: TestScope
  /** The step of the scope; null for `all`, or when it does not exist. */
  readonly target: FlowNode | null
  /** Why the scope matches no step of the graph; null if it matches one. */
  readonly fault: string | null
  /** The iterations around the step, outermost first. */
  readonly chosen: readonly ChosenIteration[]
  readonly #seeds: ReadonlyMap<string, readonly Seed[]>
  /** The parts by depth and slot. */
  readonly #parts: readonly Part[][]
  readonly #computable = new Map<FlowNode, boolean>()
  /** The standing that was requested last: a run requests the same frame many times. */
  #last: { path: string; standing: Standing | null } | null = null

  constructor(graph: CompiledGraph, { scope, seeds }: TestOfRun) {
    this.graph = graph
    this.scope = scope
    this.#seeds = Map.groupBy(seeds, ({ nodeId }) => nodeId)
    const target = scope.kind === 'all' ? undefined : graph.nodes.get(scope.nodeId ?? '')
    const chosen = target ? chosenIterations(target, scope.path) : []
    if (scope.kind !== 'all' && !target) {
      this.fault = `The step ${scope.nodeId ?? ''} of this test does not exist.`
    } else if (target && !chosen) {
      this.fault = `The step ${target.id} of this test is in no iteration "${scope.path}".`
    } else {
      this.fault = null
    }
    this.target = this.fault === null ? (target ?? null) : null
    this.chosen = chosen ?? []
    const anchors = this.target ? [...this.chosen.map(({ loop }) => loop), this.target] : []
    this.#parts = anchors.map((anchor, at) => partsAround(anchor, scope.kind, at === anchors.length - 1))
  }

  /** The seeds of a node. */
  seedsOf(nodeId: string): readonly Seed[] {
    return this.#seeds.get(nodeId) ?? []
  }

  /** The seed that starts the run; null if none does. */
  get triggerSeed(): Seed | null {
    for (const { id } of this.graph.triggers) {
      const [seed] = this.seedsOf(id).toSorted(bySpecificity)
      if (seed) return seed
    }
    return null
  }

  /** How the run starts: by the seed of a trigger, otherwise as given; by default with a trigger that leads to the step. */
  startOf(start: RunStart): RunStart {
    const seed = this.triggerSeed
    if (seed) return { kind: 'builder', nodeId: seed.nodeId, payload: seed.output }
    if (start.kind !== 'builder' || start.nodeId !== null) return start
    const root = this.chosen[0]?.loop ?? this.target
    if (!root) return start
    const leading = withNeighbours([root], 'before')
    const fits = BUILDER_ORDER.flatMap((kind) =>
      this.graph.triggers.filter((node) => node.facts.trigger === kind && leading.has(node)),
    )
    return { ...start, nodeId: fits[0]?.id ?? null }
  }

  /** The triggers that start the run, and the id of the named one. */
  startedBy(triggerId: string | null): { triggerId: string | null; started: ReadonlySet<FlowNode> } {
    const start = this.startOf({ kind: 'builder', nodeId: triggerId, payload: null })
    const started = startedTriggers(this.graph, start)
    return { triggerId: [...started][0]?.id ?? null, started }
  }

  /** Whether the run's payload must have the fields of this trigger: only if the trigger is part of the test. */
  checksPayloadOf(trigger: FlowNode): boolean {
    return this.partOf(this.rootStanding, trigger) === 'live'
  }

  /** The standing of the root. */
  get rootStanding(): Standing {
    const mode = this.scope.kind === 'all' ? 'live' : 'chosen'
    return { mode, depth: 0, level: this.graph.root, iterations: 'every' }
  }

  /**
   * The standing of an iteration of a Loop; null for a Loop without a body. `any` for a Loop that is not around the
   * step.
   */
  inside(around: Standing, loop: FlowNode, index: number): Standing | null {
    if (!loop.body) return null
    const within = { depth: around.depth, level: loop.body, iterations: around.iterations }
    const part = this.partOf(around, loop)
    if (part !== 'opened') return { ...within, mode: part === 'live' ? 'live' : 'given' }
    const chosen = this.chosen[around.depth]?.index ?? 0
    if (index === chosen) return { ...within, mode: 'chosen', depth: around.depth + 1, iterations: 'chosen' }
    if (index > chosen) return { ...within, mode: 'live', iterations: 'after' }
    return { ...within, mode: this.scope.kind === 'until' ? 'live' : 'given', iterations: 'before' }
  }

  /** The standing of a frame; null for a path that no frame of this graph can have. */
  standingOf(path: string): Standing | null {
    if (this.#last?.path !== path) this.#last = { path, standing: this.#findStanding(path) }
    return this.#last.standing
  }

  #findStanding(path: string): Standing | null {
    const segments = readFramePath(path)
    if (!segments) return null
    let standing: Standing | null = this.rootStanding
    for (const { loopId, index } of segments) {
      const loop = this.graph.nodes.get(loopId)
      if (!standing || loop?.level !== standing.level) return null
      standing = this.inside(standing, loop, index)
    }
    return standing
  }

  /** The part of a node in a frame of its level. A trigger always takes part, because nothing starts without one. */
  partOf(standing: Standing, node: FlowNode): Part {
    if (standing.mode !== 'chosen') return standing.mode
    const part = this.#parts[standing.depth]?.[node.slot] ?? 'out'
    return part === 'out' && node.role === 'trigger' ? 'given' : part
  }

  /** Whether a node takes part in a frame. */
  isIn(path: string, node: FlowNode): boolean {
    const standing = this.standingOf(path)
    return standing !== null && this.partOf(standing, node) !== 'out'
  }

  /** The decision for a node that becomes ready in a frame. */
  decide(path: string, node: FlowNode): Decision {
    const standing = this.standingOf(path)
    return standing ? this.decideIn(standing, path, node) : OUT
  }

  /** Like {@link PreparedTest.decide}; `path` null: in every frame of this standing without its own seed. */
  decideIn(standing: Standing, path: string | null, node: FlowNode): Decision {
    const part = this.partOf(standing, node)
    if (part === 'out') return OUT
    if (part === 'opened') return this.#decideOpened(standing, path, node)
    const seed = this.seedFor(node, path, part)
    if (seed) return take(seed, node)
    const isNeeded = part === 'given' && !this.#isComputable(node)
    return isNeeded ? { kind: 'fault', reason: { kind: 'no_result' }, seed: null } : EXECUTE
  }

  #decideOpened(standing: Standing, path: string | null, loop: FlowNode): Decision {
    const needed = this.#neededIterations(standing, loop)
    if (needed === 0) return EXECUTE
    const found = this.iterationSeed(path, loop)?.iterations?.length ?? 0
    if (found === needed) return EXECUTE
    return { kind: 'fault', reason: { kind: 'iterations', needed, found }, seed: null }
  }

  /** The number of iterations of a Loop around the step that must be seeded: those with effects before the chosen one. */
  #neededIterations({ depth }: Standing, loop: FlowNode): number {
    if (this.scope.kind === 'until' || this.#isComputable(loop)) return 0
    return this.chosen[depth]?.index ?? 0
  }

  /** The seed of the iterations of a Loop around the step, of any length; null if there is none. */
  iterationSeed(path: string | null, loop: FlowNode): Seed | null {
    const fitting = this.seedsOf(loop.id).filter(
      (seed) => seed.iterations !== null && (seed.path === null || seed.path === path),
    )
    return fitting.toSorted(bySpecificity)[0] ?? null
  }

  /** The seed of a Loop's first iterations; null if they are executed, or if there are none. */
  firstIterations(path: string, loop: FlowNode): Seed | null {
    const standing = this.standingOf(path)
    if (!standing || this.partOf(standing, loop) !== 'opened') return null
    return this.#neededIterations(standing, loop) > 0 ? this.iterationSeed(path, loop) : null
  }

  /** The chosen iteration of a Loop around the step; null for any other Loop. */
  chosenIteration(path: string, loop: FlowNode): number | null {
    const standing = this.standingOf(path)
    if (!standing || this.partOf(standing, loop) !== 'opened') return null
    return this.chosen[standing.depth]?.index ?? null
  }

  /** Whether a Loop ends before the iteration with this index, because the scope ends with the previous one. */
  endsBefore(path: string, loop: FlowNode, index: number): boolean {
    const chosen = this.scope.kind === 'from' ? null : this.chosenIteration(path, loop)
    return chosen !== null && index > chosen
  }

  /** The step for which a chosen frame exists: the step of the scope, or the Loop around it; null for other frames. */
  anchorOf(path: string): FlowNode | null {
    const standing = this.standingOf(path)
    if (standing?.mode !== 'chosen') return null
    return this.chosen[standing.depth]?.loop ?? this.target
  }

  /** The seed that a node takes; null if it takes none. `path` null: only seeds of every frame. */
  seedFor(node: FlowNode, path: string | null, part: Part): Seed | null {
    if (part === 'out' || part === 'opened' || node.role === 'trigger' || node.isDisabled) return null
    if (part === 'live' && node === this.target && this.scope.kind !== 'until') return null
    const takesRuns = part === 'given' && !this.#isComputable(node)
    const fitting = this.seedsOf(node.id).filter(
      (seed) =>
        seed.iterations === null &&
        (seed.path === null || seed.path === path) &&
        (takesRuns || seed.origin !== 'run'),
    )
    return fitting.toSorted(bySpecificity)[0] ?? null
  }

  /** Whether a node has a result without effects: it is pure, or a Loop whose effects all have seeds of every frame. */
  #isComputable(node: FlowNode): boolean {
    if (node.role === 'effect') return false
    if (node.role !== 'loop' || !node.body) return true
    const known = this.#computable.get(node)
    if (known !== undefined) return known
    const isComputable = node.body.nodes.every((child) => {
      if (child.role !== 'effect' && child.role !== 'loop') return true
      return this.#hasSeedOfEveryFrame(child) || this.#isComputable(child)
    })
    this.#computable.set(node, isComputable)
    return isComputable
  }

  #hasSeedOfEveryFrame({ id }: FlowNode): boolean {
    return this.seedsOf(id).some(({ path, iterations }) => path === null && iterations === null)
  }
}

/** Results chosen for the test take precedence over those of a past run, and a seed of one frame over one of every frame. */
function bySpecificity(a: Seed, b: Seed): number {
  const rank = ({ origin, path }: Seed) => (origin === 'run' ? 2 : 0) + (path === null ? 1 : 0)
  return rank(a) - rank(b)
}

/** A node takes a seed, unless the seed does not fit the node. */
function take(seed: Seed, node: FlowNode): Decision {
  if (node.role === 'loop' && !Array.isArray(seed.output)) {
    return { kind: 'fault', reason: { kind: 'not_a_list' }, seed }
  }
  const possible = flowHandles(node)
  const handles = seed.handles ?? (possible.length <= 1 ? possible : null)
  if (handles === null || handles.some((handle) => !possible.includes(handle))) {
    return { kind: 'fault', reason: { kind: 'handle', handles: seed.handles }, seed }
  }
  return { kind: 'seed', seed, handles }
}

/** A reason as the error sentence of a failed node. */
export function missingSentence(reason: MissingReason): string {
  switch (reason.kind) {
    case 'no_result':
      return 'it has no stored result, and this test must not run it'
    case 'handle':
      return reason.handles === null
        ? 'its stored result does not say which branch it takes'
        : `its stored result takes "${reason.handles.join('", "')}", which this step does not have`
    case 'not_a_list':
      return 'its stored result is not a list'
    case 'iterations':
      return `it needs the stored results of its first ${reason.needed} iterations, and has ${reason.found}`
    default:
      return reason satisfies never
  }
}
