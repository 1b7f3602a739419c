import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pythonDocument } from './python-document.ts'
import { writeOperations } from './write-operations.ts'

test('without Python the run reports that nothing was tested, and exits with 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  })
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain('The Python client was NOT tested: Python 3.11 or later is needed')
})

test('every operation with an API key has a method in both clients, and others have none', () => {
  const { operations, document } = pythonDocument()
  const text = writeOperations(operations, 'class RunAgentRequest(TypedDict):\n')
  expect(operations.length).toBeGreaterThan(40)
  expect(text.match(/^ {4}(?:async )?def /gm)).toHaveLength(operations.length * 2)
  expect(text).toContain('    async def run_agent(\n        self,\n        agent_id: str,\n        *,')
  expect(text).toContain('**body: Unpack[models.RunAgentRequest]')
  expect(text).not.toContain('form')
  expect(JSON.stringify(document)).not.toContain('FormDefinition')
})
