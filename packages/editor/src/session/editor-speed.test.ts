import type { Graph } from '@troupe/graph'
import { expect, test } from 'vitest'
import { moveSteps, setValue } from '../commands/edit-steps.ts'
import { editorOf } from '../testing/draft.ts'

function chainOf(steps: number): Graph {
  const ids = Array.from({ length: steps }, (_, at) => `step-${at}`)
  return {
    nodes: ids.map((id, at) => ({
      ...{ id, type: 'ai-prompt', name: `Step ${at}`, parentId: null },
      ...{ position: { x: at * 240, y: 0 }, config: { prompt: `Number ${at}` } },
    })),
    edges: ids.slice(1).map((target, at) => {
      const source = ids[at] ?? ''
      return { id: `${source}:out:${target}`, source, sourceHandle: 'out', target }
    }),
  }
}

/** The fastest of several rounds of edits, saves and undos, in milliseconds. */
function timeOf(steps: number): number {
  const editor = editorOf(chainOf(steps))
  const rounds = Array.from({ length: 9 }, (_, round) => {
    const from = performance.now()
    for (let n = 0; n < 200; n += 1) {
      const at = round * 10_000 + n * 10
      const id = `step-${(n * 7) % steps}`
      editor.run({ label: 'Type', at, gesture: { key: id, isHeld: false } }, (tx) =>
        setValue(tx, id, 'prompt', `round ${round} ${n}`),
      )
      editor.run({ label: 'Move', at }, (tx) => moveSteps(tx, new Map([[id, { x: n, y: round }]])))
      if (n % 3 === 0) editor.undo({ labelOf: (label) => label, at })
      for (const effect of editor.takeEffects()) {
        if (effect.kind !== 'send') continue
        const { changeId, draftRevision } = effect.save
        editor.dispatch({ kind: 'saved', changeId, revision: draftRevision + 1, savedAt: '', at })
      }
    }
    return performance.now() - from
  })
  return Math.min(...rounds)
}

// Measures time; a busy machine may disturb one run.
test('an edit of a draft of 10,000 steps costs about what it costs in one of 500', { retry: 2 }, () => {
  timeOf(500)
  expect(timeOf(10_000) / timeOf(500)).toBeLessThan(4)
})
