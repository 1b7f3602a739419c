import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { identifiersAsToml } from './identifiers.ts'
import { surprises } from './reached.ts'

test('without Python the run reports that nothing was checked, and exits with 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  })
  expect(status).toBe(2)
  expect(stderr).toContain('The OpenAPI documents were NOT checked: Python 3.11 or later is needed')
  expect(stdout).toBe('')
})

test('an operation is a surprise if it never succeeded, was limited, or was out of reach and succeeds', () => {
  const document = JSON.stringify({
    paths: {
      '/a/{id}': { get: {}, post: {} },
      '/invitations/{token}': { get: {}, post: {} },
      '/new': { get: {}, post: {} },
    },
  })
  const reached = new Map([
    ['GET /a/{id}', new Set([404, 200])],
    ['POST /a/{id}', new Set([404, 400])],
    ['GET /invitations/{token}', new Set([404])],
    ['POST /invitations/{token}', new Set([303, 404])],
    ['POST /new', new Set([200, 429])],
  ])
  expect(surprises(document, reached)).toEqual([
    'POST /a/{id} answered 400, 404',
    'POST /invitations/{token} answered 303, 404',
    'GET /new answered nothing',
    'POST /new answered 200, 429',
  ])
})

test('identifiers become dictionaries that the paths of their operations use', () => {
  const toml = identifiersAsToml({ 'agent-jobs': ['one', 'two'] })
  expect(toml).toContain('[dictionaries.agent-jobs]\nvalues = ["one","two"]')
  expect(toml).toContain(
    `include-path-regex = '^/api/v1/jobs/'\n[operations.parameters]\n"path.jobId" = { dictionary = "agent-jobs"`,
  )
})
