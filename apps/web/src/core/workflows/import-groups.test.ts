import { expect, test } from 'vitest'
import { groupImport } from './import-groups.ts'

const row = (name: string, outcome: 'step' | 'stand_in' | 'note' | 'part', remarks: string[] = []) => ({
  ...{ name, outcome, remarks },
  type: `type of ${name}`,
  nodeIds: [],
})

test('each row is in one group; a line without remarks names the type', () => {
  expect(
    groupImport({
      rows: [
        row('A', 'step'),
        row('B', 'step', ['It waits.', 'It retries.']),
        row('C', 'stand_in'),
        row('D', 'note'),
        row('E', 'part'),
      ],
      connections: [{ from: 'A', to: 'D', reason: 'D has no place in the flow.' }],
      choices: [{ kind: 'model', nodeId: 'b', name: 'B', detail: 'It used gpt-5.' }],
      remarks: [],
    }),
  ).toEqual({
    choices: [{ name: 'B', detail: 'It used gpt-5.' }],
    standIns: [{ name: 'C', detail: 'type of C' }],
    notes: [{ name: 'D', detail: 'type of D' }],
    lost: [{ name: 'A → D', detail: 'D has no place in the flow.' }],
    differing: [{ name: 'B', detail: 'It waits. It retries.' }],
    same: [{ name: 'A', detail: 'type of A' }],
    parts: [{ name: 'E', detail: 'type of E' }],
  })
})
