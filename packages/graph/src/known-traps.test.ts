import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { resolveText, resolveValue } from './interpolation/resolve.ts'
import { applyResult, takeReady } from './run/apply-result.ts'
import { planRun, takeChanges } from './run/plan-run.ts'
import { replayGraphRun } from './run/replay-graph-run.ts'
import { scopeAt } from './run/run-scope.ts'
import type { RunStart } from './run/run-start.ts'
import type { RunState } from './run/run-state.ts'
import { startGraphRun } from './run/start-graph-run.ts'
import { type Behaviour, execute, gives, label } from './testing/execute.ts'
import { compileSketch } from './testing/parse-sketch.ts'
import { recordRun } from './testing/record-run.ts'

// Failures of other engines. Numbers are issues of the repository named before them.

const START: RunStart = { kind: 'api', input: {} }
const begin = (sketch: string, ceiling = 100) => startGraphRun(compileSketch(sketch), START, { ceiling })
const goes = (handle: string): Behaviour => {
  return () => ({ status: 'completed', output: handle, handles: [handle] })
}
const repeats = (count: number): Behaviour => {
  return () => ({ status: 'repeat', range: { mode: 'count', count } })
}
const named: (id: string) => Behaviour = (id) => gives(() => id)

/** The executed nodes. Each returns its own name, except for the nodes with a given behaviour. */
function ranIn(sketch: string, nodes: Record<string, Behaviour> = {}): string {
  const { plan, ran } = execute(begin(sketch), (id) => nodes[id] ?? named(id))
  expect(plan.status).toBe('completed')
  return ran.join(' ')
}

/** Starts every ready node and returns them. */
function startAll(run: RunState): string[] {
  const started: string[] = []
  for (let next = takeReady(run); next; next = takeReady(run)) started.push(label(next.path, next.nodeId))
  return started
}
const end = (run: RunState, ...ids: string[]) => {
  for (const nodeId of ids) applyResult(run, { path: '', nodeId }, { status: 'completed', output: nodeId })
}

describe('joins', () => {
  // n8n-io/n8n#27053, #37895: a node behind two others ran once for each of them.
  test.for([
    ['a', 'b'],
    ['b', 'a'],
  ])('a node with two inputs runs once, even when %s ends first', (order) => {
    const run = begin('t→a→j, t→b→j, j→z')
    expect(startAll(run)).toEqual(['a', 'b'])
    end(run, order[0] ?? '')
    expect(startAll(run)).toEqual([])
    end(run, order[1] ?? '')
    expect(startAll(run)).toEqual(['j'])
    end(run, 'j')
    expect(startAll(run)).toEqual(['z'])
  })

  // n8n-io/n8n#3949, #1351: a merge behind a branch that was not taken never fired.
  test('a merge fires although one of its branches was not taken, at its first node or at its last', () => {
    expect(ranIn('t→i, i.true→a→j, i.false→b→c→d→j', { i: goes('true') })).toBe('i a j')
    expect(ranIn('t→a→b→i, i.true→j, t→c→j', { i: goes('false') })).toBe('a b i c j')
  })

  // langchain-ai/langgraphjs#2666, #1535, langchain-ai/langgraph#7727, #6320: the join was dropped with its parent.
  test('a join is not dropped when a parent is routed away after another one has ended', () => {
    const run = begin('t→a→j, t→i, i.true→b→j, i.false→c')
    startAll(run)
    end(run, 'a')
    expect(startAll(run)).toEqual([])
    applyResult(run, { path: '', nodeId: 'i' }, { status: 'completed', output: null, handles: ['false'] })
    expect(startAll(run)).toEqual(['j', 'c'])
  })

  test('a join that every parent was routed away from is skipped, and so are its successors', () => {
    const both = { i: goes('false') }
    expect(ranIn('t→i, i.true→a→j, i.true→b→j, j→k→z, t→c→z', both)).toBe('c i z')
  })

  // FlowiseAI/Flowise#5358, #4848, #4631: runs stalled behind a condition, or both of its branches ran.
  test.for([
    ['true', 'i a j'],
    ['false', 'i b j'],
  ])('of two branches exactly the chosen one runs, and their join once: %s', ([handle = '', ran]) => {
    expect(ranIn('t→i, i.true→a, i.false→b, a→j, b→j', { i: goes(handle) })).toBe(ran)
  })

  test('a node that both handles of a condition lead to runs once', () => {
    for (const handle of ['true', 'false'])
      expect(ranIn('t→i, i.true→j, i.false→j', { i: goes(handle) })).toBe('i j')
  })

  // langgenius/dify#9996, #22887, #28487: an aggregator did not wait for the parallel branches before it.
  test('a merge of parallel branches waits for the longest of them and sees them all', () => {
    const seen: unknown[] = []
    const { ran } = execute(begin('t→a→j, t→b→c→d→j, t→e→j'), (id) => (scope) => {
      if (id === 'j') seen.push(...['a', 'd', 'e', 'b'].map((nodeId) => scope.upstream(nodeId)))
      return { status: 'completed', output: id }
    })
    expect(ran.at(-1)).toBe('j')
    expect(seen).toEqual(['a', 'd', 'e', 'b'].map((value) => ({ ok: true, value })))
  })

  test('joins behind joins each run once', () => {
    expect(ranIn('t→i, i.true→a→j, i.false→b→j, t→c→k, j→k, k→x→z, k→y→z', { i: goes('false') })).toBe(
      'c i b j k x y z',
    )
  })

  test('a join in a body runs once in each iteration, whatever handle was taken in the previous one', () => {
    const { ran } = execute(begin('t→l, l.body→i(l), i.true→a(l)→j(l), i.false→b(l)→j(l)'), (id) => {
      if (id === 'l') return repeats(3)
      if (id === 'i') return (scope, at, run) => goes(String(scope.loop?.index === 1))(scope, at, run)
      return named(id)
    })
    expect(ran.join(' ')).toBe('l i#0 b#0 j#0 i#1 a#1 j#1 i#2 b#2 j#2')
  })
})

describe('states', () => {
  // n8n-io/n8n#22281: a run stayed "running" forever.
  test('a run without work left has ended, even if its last node routes to nothing', () => {
    const { plan } = execute(begin('t→i, i.true→a'), (id) => (id === 'i' ? goes('false') : named(id)))
    expect(plan).toMatchObject({ status: 'completed', start: [], running: [] })
  })

  // n8n-io/n8n#23807: a restart overwrote a success.
  test('a reached end is not changed by later events', () => {
    const run = begin('t→a')
    const place = takeReady(run)!
    applyResult(run, place, { status: 'completed', output: 'first' })
    applyResult(run, place, { status: 'failed', message: 'crashed' })
    expect(planRun(run)).toMatchObject({ status: 'completed', output: 'first', error: null })
  })
})

describe('loops', () => {
  const gc = () => {
    setFlagsFromString('--expose-gc')
    ;(runInNewContext('gc') as () => void)()
    return process.memoryUsage().heapUsed
  }

  // n8n-io/n8n#26123, #7391, #8927: the data of every iteration stayed in memory.
  test('the nodes of an ended iteration are freed: 1,000 with 40 KB each leave less than 10 MB', () => {
    const run = begin('t→l, l.body→a(l)→b(l)', 1_000)
    const before = gc()
    execute(run, (id) => ({ loop }) => {
      takeChanges(run)
      if (id === 'l') return { status: 'repeat', range: { mode: 'count', count: 1_000 } }
      const large = Array.from({ length: 5_000 }, (_, at) => at + Number(loop?.index))
      return { status: 'completed', output: id === 'a' ? large : large.length }
    })
    expect(planRun(run).output).toHaveLength(1_000)
    expect(run.frames.size).toBe(1)
    expect(gc() - before).toBeLessThan(10 * 1024 * 1024)
  })

  // n8n-io/n8n#4867, #385: iterations that were empty or nested were lost or ran again.
  test('an iteration that is routed to nothing counts, and the next one starts', () => {
    const { plan, ran } = execute(begin('t→l, l.body→i(l), i.true→b(l)'), (id) => {
      if (id === 'l') return repeats(3)
      return id === 'i' ? goes('false') : named(id)
    })
    expect(plan.output).toEqual([null, null, null])
    expect(ran.join(' ')).toBe('l i#0 i#1 i#2')
  })

  test('an inner Loop starts again in every iteration of the outer one', () => {
    const { plan } = execute(begin('t→l, l.body→m(l), m.body→b(m)'), (id) => {
      if (id === 'l') return repeats(2)
      if (id === 'm') return (scope, at, run) => repeats(Number(scope.loop?.index) + 1)(scope, at, run)
      return gives(({ loop }) => loop?.index)
    })
    expect(plan.output).toEqual([[0], [0, 1]])
  })

  // FlowiseAI/Flowise#5233, #4647: a review before an iteration broke the loop behind it.
  test('a review before a Loop, and one in each of its iterations, each wait once', () => {
    const graph = compileSketch('t→w→l, l.body→v(l)→b(l), l.done→z')
    let run = startGraphRun(graph, START)
    const asked: string[] = []
    const ran: string[] = []
    for (let next = takeReady(run); next; next = takeReady(run)) {
      const place = next
      ran.push(label(place.path, place.nodeId))
      if (place.nodeId === 'l')
        applyResult(run, place, { status: 'repeat', range: { mode: 'count', count: 2 } })
      else if (place.nodeId !== 'v' && place.nodeId !== 'w')
        applyResult(run, place, { status: 'completed', output: place.nodeId })
      else {
        applyResult(run, place, { status: 'waiting' })
        expect(planRun(run).status).toBe('awaiting_approval')
        // The process ends here and another one reads the decision.
        run = replayGraphRun(graph, START, JSON.parse(JSON.stringify(recordRun(run))))
        asked.push(label(place.path, place.nodeId))
        applyResult(run, place, { status: 'completed', output: `yes ${asked.length}` })
      }
    }
    expect(asked).toEqual(['w', 'v#0', 'v#1'])
    expect(ran.join(' ')).toBe('w l v#0 b#0 v#1 b#1 z')
    expect(planRun(run)).toMatchObject({ status: 'completed', output: 'z' })
  })
})

describe('expressions', () => {
  const payload = JSON.parse(
    '{"cost": "$& $1 $$ $` $\'", "code": "{{ trigger.cost }}", "__proto__": {"admin": true}, "list": [1], "none": null}',
  )
  const run = startGraphRun(compileSketch('t→i, i.true→a→j, i.false→b→j'), { kind: 'api', input: payload })
  execute(run, (id) => (id === 'i' ? goes('true') : named(id)))
  const at = scopeAt(run, { path: '', nodeId: 'j', iteration: null })
  const reasonOf = (token: string) => {
    const resolved = resolveValue(token, at)
    return resolved.ok ? resolved.value : resolved.error.replace(`could not resolve ${token}: `, '')
  }

  // n8n-io/n8n#6880, #18197, #19154, #23224, #35380: outputs of branches that had not run.
  test('a node of a branch that was not taken is reported by name, in a value and in text', () => {
    expect(reasonOf('{{ upstream.b.output }}')).toBe('b was skipped')
    expect(resolveText('Hello {{ upstream.b.output.name }}', at)).toEqual({
      ok: false,
      error: 'could not resolve {{ upstream.b.output.name }}: b was skipped',
    })
    expect(reasonOf('{{ upstream.a.output }}')).toBe('a')
  })

  // CVE-2025-68613: the text between the braces was executed.
  test.for([
    ['{{ 7 * 7 }}', 'is not one of: trigger'],
    ['{{ trigger.constructor.constructor("return process")() }}', '"constructor" is not in the trigger'],
    ['{{ process.env.HOME }}', '"process" is not one of: trigger'],
    ['{{ trigger.list.map(x => x) }}', 'is not an element of "list"'],
    ['{{ trigger["cost"] }}', 'is not one of: trigger'],
    ['{{ upstream.a.output.toString() }}', '"toString()" is not in the output of a, which is a string'],
  ])('%s is looked up, never executed', ([token = '', reason]) => {
    expect(resolveValue(token, at)).toEqual({ ok: false, error: expect.stringContaining(reason ?? '') })
  })

  test('text without a token stays text, for any content', () => {
    const code = `{{ trigger.\${process.exit()} }}`
    expect(resolveValue(code, at)).toEqual({ ok: true, value: code })
  })

  test('$&, $1 and the like in data are unchanged', () => {
    expect(resolveText('<{{ trigger.cost }}>', at)).toEqual({ ok: true, value: "<$& $1 $$ $` $'>" })
  })

  test('braces in data are data', () => {
    expect(resolveText('{{ trigger.code }}', at)).toEqual({ ok: true, value: '{{ trigger.cost }}' })
  })

  test('a missing key is neither empty nor the literal braces', () => {
    expect(reasonOf('{{ trigger.costs }}')).toBe(
      '"costs" is not in the trigger (has: cost, code, list, none). Did you mean "cost"?',
    )
    expect(reasonOf('{{ trigger.none.deep }}')).toBe('"deep" is not in "none" of the trigger, which is null')
  })

  test('a payload with __proto__ pollutes no other object', () => {
    expect(reasonOf('{{ trigger.__proto__.admin }}')).toMatch(/^"__proto__" is not in the trigger/)
    const copied = resolveValue({ all: '{{ trigger }}', list: ['{{ trigger.list }}'] }, at)
    expect(copied.ok).toBe(true)
    expect((copied as { value: { admin?: unknown } }).value.admin).toBeUndefined()
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })
})
