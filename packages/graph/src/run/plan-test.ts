import { flowHandles } from '../compile/always-with.ts'
import { isAncestor } from '../compile/ancestors.ts'
import type { CompiledGraph, FlowNode, Level, UnreachableGroup } from '../compile/compiled-graph.ts'
import { iterationPath, readFramePath } from './frame-path.ts'
import { type Decision, PreparedTest, type Standing } from './prepared-test.ts'
import type { PlannedStep, Seed, TestPlan, TestScope, UnreachedReason } from './test-run.ts'
import { unreachableError } from './unreachable-error.ts'

/** Whether a node is reached: in every run of the test that succeeds, only if others take certain handles, or never. */
type Reach = 'certain' | 'possible' | 'never'

/** The known facts about a node of a level before the run. */
interface Expected {
  reach: Reach
  /** The handles that it takes; null if they are only known after it has run. */
  handles: readonly string[] | null
}

/** Frames that are examined together: those with the same standing. */
interface Frames {
  standing: Standing
  /** The only frame with this standing; null if there can be several. */
  path: string | null
  /** Whether such a frame certainly exists. */
  isCertain: boolean
  /**
   * Set if exactly the iterations before a chosen one are examined: their Loop, its frame, and their number; else null.
   */
  first: { around: string; loop: FlowNode; count: number } | null
}

/** The decision for the frames that have their own seed; `isFirst`: one of {@link Frames.first}. */
interface OwnDecision {
  decision: Decision
  isFirst: boolean
}

type Listed = 'runs' | 'recomputed' | 'seeded' | 'missing' | 'unreached' | 'effects'

class Plan {
  readonly #test: PreparedTest
  readonly #started: ReadonlySet<FlowNode>
  readonly #unreachable: ReadonlyMap<FlowNode, string>
  readonly #lists: { [List in Listed]: Map<string, TestPlan[List][number]> } = {
    runs: new Map(),
    recomputed: new Map(),
    seeded: new Map(),
    missing: new Map(),
    unreached: new Map(),
    effects: new Map(),
  }
  readonly #forced = new Map<string, { nodeId: string; handles: readonly string[] }>()
  readonly #uses = new Set<Seed>()
  readonly triggerId: string | null

  constructor(test: PreparedTest, triggerId: string | null) {
    this.#test = test
    const { triggerId: found, started } = test.startedBy(triggerId)
    this.triggerId = found
    this.#started = started
    const { unreachable } = test.graph
    this.#unreachable = new Map(
      unreachable.flatMap(({ nodes, reason }) => nodes.map((node) => [node, reason] as const)),
    )
    if (test.triggerSeed) this.#uses.add(test.triggerSeed)
    if (test.fault === null) {
      this.#level({ standing: test.rootStanding, path: '', isCertain: true, first: null })
    }
  }

  get lists(): Omit<TestPlan, 'triggerId' | 'fault'> {
    const listed = <List extends Listed>(list: List) => [...this.#lists[list].values()]
    return {
      runs: listed('runs'),
      recomputed: listed('recomputed'),
      seeded: listed('seeded'),
      missing: listed('missing'),
      unreached: listed('unreached'),
      effects: listed('effects'),
      forced: [...this.#forced.values()],
      uses: [...this.#uses],
    }
  }

  /** The unreachable nodes that the test needs. */
  get unreachable(): UnreachableGroup[] {
    const { graph, scope } = this.#test
    if (scope.kind === 'all') return [...graph.unreachable]
    const needed = new Set(
      [...this.#lists.unreached.values()].flatMap(({ nodeId, because }) =>
        because.kind === 'no_path' ? nodeId : [],
      ),
    )
    return graph.unreachable.map(({ nodes, reason }) => ({
      nodes: nodes.filter(({ id }) => needed.has(id)),
      reason,
    }))
  }

  /** Lists a step. If it is already listed, the entry is certain if either one is. */
  #list<List extends Listed>(list: List, step: TestPlan[List][number]): void {
    const lists: Map<string, TestPlan[List][number]> = this.#lists[list]
    const key = `${step.iterations} ${step.nodeId}`
    const known = lists.get(key)
    const isCertain = known !== undefined && 'certain' in known && known.certain
    lists.set(key, isCertain ? { ...step, certain: true } : step)
  }

  #level(frames: Frames): void {
    const expected = new Map<FlowNode, Expected>()
    const { standing } = frames
    // The order of a level's nodes follows their edges.
    for (const node of standing.level.nodes) {
      if (this.#test.partOf(standing, node) === 'out') continue
      expected.set(node, this.#node(frames, node, expected))
    }
  }

  #node(frames: Frames, node: FlowNode, expected: ReadonlyMap<FlowNode, Expected>): Expected {
    const { standing } = frames
    const { iterations } = standing
    const reached = this.#reach(node, expected)
    if (typeof reached === 'object') {
      const isListed =
        reached.kind !== 'trigger' || node.role !== 'trigger' || this.#isInScope(standing, node)
      if (isListed) this.#list('unreached', { nodeId: node.id, iterations, because: reached })
      return { reach: 'never', handles: null }
    }
    const step: PlannedStep = {
      nodeId: node.id,
      iterations,
      certain: frames.isCertain && reached === 'certain',
    }
    if (node.role === 'trigger') {
      this.#trigger(standing, node, step)
      return { reach: reached, handles: node.handles }
    }
    const usual = this.#test.decideIn(standing, frames.path, node)
    const own = frames.path === null ? this.#ownDecisions(frames, node) : []
    const ownOfFirst = own.filter(({ isFirst }) => isFirst).length
    // The number of iterations before a chosen one is known. If each has its own seed, the general decision is never
    // made.
    if (ownOfFirst === 0 || ownOfFirst !== frames.first?.count) this.#outcome(frames, node, step, usual)
    for (const { decision, isFirst } of own) {
      this.#outcome(frames, node, { ...step, certain: step.certain && isFirst }, decision)
    }
    return { reach: reached, handles: own.length === 0 ? handlesAfter(node, usual) : null }
  }

  /** Whether a trigger that does not start the run is part of the test. */
  #isInScope(standing: Standing, node: FlowNode): boolean {
    return this.#test.partOf(standing, node) === 'live'
  }

  /** The decisions for the frames of a standing that have their own seeds. */
  #ownDecisions({ standing, first }: Frames, node: FlowNode): OwnDecision[] {
    const part = this.#test.partOf(standing, node)
    const usual = this.#test.seedFor(node, null, part)
    const paths = new Set(this.#test.seedsOf(node.id).flatMap(({ path }) => path ?? []))
    return [...paths].flatMap((path) => {
      const seed = this.#isOf(standing, path) ? this.#test.seedFor(node, path, part) : null
      if (!seed || seed === usual) return []
      return { decision: this.#test.decide(path, node), isFirst: isAmongFirst(path, first) }
    })
  }

  /** Whether a frame has this standing. */
  #isOf({ level, iterations }: Standing, path: string): boolean {
    const found = this.#test.standingOf(path)
    return found !== null && found.level === level && found.iterations === iterations
  }

  /** Whether edges lead to a node, or why none does. */
  #reach(
    node: FlowNode,
    expected: ReadonlyMap<FlowNode, Expected>,
  ): Exclude<Reach, 'never'> | UnreachedReason {
    const reason = this.#unreachable.get(node)
    if (reason !== undefined) return { kind: 'no_path', reason }
    if (node.role === 'trigger') return this.#started.has(node) ? 'certain' : { kind: 'trigger' }
    let found: Exclude<Reach, 'never'> | null = node.level.entries.has(node.slot) ? 'certain' : null
    for (const { source, handle } of node.incoming) {
      if (found === 'certain') break
      const known = expected.get(source)
      if (!known || known.reach === 'never') continue
      if (known.handles === null) found = 'possible'
      else if (known.handles.includes(handle)) found = known.reach
    }
    return found ?? this.#whyNever(node, expected)
  }

  /** The nearest step before a node whose handles lead elsewhere. */
  #whyNever(node: FlowNode, expected: ReadonlyMap<FlowNode, Expected>): UnreachedReason {
    const behind = new Set([node])
    for (const skipped of behind) {
      for (const { source } of skipped.incoming) {
        const known = expected.get(source)
        if (known?.reach === 'never') behind.add(source)
        else if (known?.handles) {
          const leads = source.out.filter(({ target }) => target === node || isAncestor(target, node))
          const ways = [...new Set(leads.map(({ handle }) => handle))].filter(
            (handle) => !known.handles?.includes(handle),
          )
          return { kind: 'handles', nodeId: source.id, taken: known.handles, ways }
        }
      }
    }
    return { kind: 'trigger' }
  }

  #trigger(standing: Standing, node: FlowNode, step: PlannedStep): void {
    const seed = this.#test.triggerSeed
    if (seed) this.#list('seeded', { ...step, origin: seed.origin, fromRunId: seed.fromRunId })
    else this.#list(this.#test.partOf(standing, node) === 'live' ? 'runs' : 'recomputed', step)
  }

  #outcome(frames: Frames, node: FlowNode, step: PlannedStep, decision: Decision): void {
    const part = this.#test.partOf(frames.standing, node)
    switch (decision.kind) {
      case 'out':
        return
      case 'fault':
        if (decision.seed) this.#uses.add(decision.seed)
        this.#list('missing', { ...step, reason: decision.reason })
        // A plan lists all missing results together, so a Loop is entered as if it had its results.
        if (part === 'opened') this.#opened(frames, node, step, false)
        return
      case 'seed':
        this.#seeded(node, step, decision.seed)
        return
      case 'execute': {
        const isRun = part === 'live' || (part === 'opened' && this.#test.scope.kind === 'until')
        this.#list(isRun ? 'runs' : 'recomputed', step)
        if (node.role === 'effect') this.#list('effects', { ...step, again: this.#happened(frames, node) })
        if (part === 'opened') this.#opened(frames, node, step, true)
        else this.#repeated(frames, node)
        return
      }
      default:
        decision satisfies never
    }
  }

  #seeded(node: FlowNode, step: PlannedStep, seed: Seed): void {
    this.#uses.add(seed)
    this.#list('seeded', { ...step, origin: seed.origin, fromRunId: seed.fromRunId })
    if (seed.origin === 'typed' && seed.handles && flowHandles(node).length > 1) {
      this.#forced.set(node.id, { nodeId: node.id, handles: seed.handles })
    }
  }

  /** Whether the source run has executed a node in a frame with this standing. */
  #happened({ standing, path }: Frames, node: FlowNode): boolean {
    return this.#test
      .seedsOf(node.id)
      .some(
        (seed) =>
          seed.origin === 'run' &&
          (seed.path === null || (path === null ? this.#isOf(standing, seed.path) : seed.path === path)),
      )
  }

  /** The iterations of a Loop that is not around the step of the scope. */
  #repeated({ standing }: Frames, loop: FlowNode): void {
    const inside = loop.body && this.#test.inside(standing, loop, 0)
    if (!inside) return
    if (inside.mode === 'given') this.#useAll(inside.level)
    this.#level({ standing: inside, path: null, isCertain: false, first: null })
  }

  /** Keeps the seeds of every frame in a Loop: whether it is computed again depends on all of them. */
  #useAll(level: Level): void {
    for (const node of level.nodes) {
      const seed = this.#test.seedFor(node, null, 'given')
      if (seed) this.#uses.add(seed)
      if (node.body) this.#useAll(node.body)
    }
  }

  /** The iterations of a Loop around the step of the scope. Without the chosen one the test fails. */
  #opened({ standing, path }: Frames, loop: FlowNode, step: PlannedStep, hasFirst: boolean): void {
    const { chosen, scope } = this.#test
    const index = chosen[standing.depth]?.index ?? 0
    if (path === null) return
    const seed = this.#test.firstIterations(path, loop)
    if (!hasFirst) {
      // The iterations before the chosen one are reported as missing.
    } else if (seed) {
      this.#uses.add(seed)
      const { origin, fromRunId } = seed
      this.#list('seeded', { ...step, iterations: 'before', origin, fromRunId })
    } else if (index > 0) {
      const before = this.#test.inside(standing, loop, 0)
      if (before?.mode === 'given' && loop.body) this.#useAll(loop.body)
      const first = { around: path, loop, count: index }
      if (before) this.#level({ standing: before, path: null, isCertain: step.certain, first })
    }
    const at = this.#test.inside(standing, loop, index)
    if (at) {
      const frame = iterationPath(path, loop, index)
      this.#level({ standing: at, path: frame, isCertain: step.certain, first: null })
    }
    const after = scope.kind === 'from' ? this.#test.inside(standing, loop, index + 1) : null
    if (after) this.#level({ standing: after, path: null, isCertain: false, first: null })
  }
}

/**
 * Whether a path is that of one of the first iterations of a Loop. Iterations are not listed, because there can be a
 * billion.
 */
function isAmongFirst(path: string, first: Frames['first']): boolean {
  const index = readFramePath(path)?.at(-1)?.index
  if (!first || index === undefined || index >= first.count) return false
  return path === iterationPath(first.around, first.loop, index)
}

/** The handles that a node takes, as far as they are known before the run. */
function handlesAfter(node: FlowNode, decision: Decision): readonly string[] | null {
  if (decision.kind === 'seed') return decision.handles
  const possible = flowHandles(node)
  return possible.length === 1 ? possible : null
}

/**
 * Plans a test run: the steps that run, those that take a stored result, and the missing results. A `certain` step does
 * so in every run that does not fail; any other only if it is reached. Follows the same rules as the run.
 *
 * @param seeds All available seeds; `uses` of the plan are the needed ones.
 * @param triggerId The trigger that starts it, unless a trigger has a seed; null: the first that leads to the step of
 * the scope.
 */
export function planTest(
  graph: CompiledGraph,
  scope: TestScope,
  seeds: readonly Seed[],
  triggerId: string | null = null,
): TestPlan {
  const test = new PreparedTest(graph, { scope, seeds })
  const plan = new Plan(test, triggerId)
  return { triggerId: plan.triggerId, fault: faultOf(test, plan), ...plan.lists }
}

/** Why a test fails before its first step; null if it does not. */
export function testFault(test: PreparedTest): string | null {
  if (test.graph.unreachable.length === 0) return test.fault
  return faultOf(test, new Plan(test, null))
}

function faultOf(test: PreparedTest, plan: Plan): string | null {
  return test.fault ?? unreachableError(plan.unreachable)
}
