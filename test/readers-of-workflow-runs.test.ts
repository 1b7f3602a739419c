import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT, workspaces } from './layering/sources.ts'

// Tests of drafts are also rows of `workflow_runs`, and must affect nothing in production. So every statement that reads or changes
// this table states its kind (`kind = 'run'`, `kind = 'test'`, `runInScope`), or is counted here with a reason to include both.
// This file fails for a new one without either. Decision:
// docs/decisions/2026-11-28-draft-tests-are-a-separate-kind-of-run.md

const ACCESS =
  /\b(?:from|join|update|into|using)\s+workflow_runs\b|\b(?:from|\w*[jJ]oin|update|insert|delete)\(workflowRuns\b/gi
const KIND = /\bkind\s*(?:=|<>)\s*'(?:run|test)'|\brunInScope\(/

/** The statements of a text without a kind: each from the table to the end of its part of the text. */
function withoutKind(text: string): number {
  return [...text.matchAll(ACCESS)].filter((match) => {
    const [part = ''] = text.slice(match.index, match.index + 600).split(/\n\s*\n|`\s*[,);\n]/)
    return !KIND.test(part)
  }).length
}

const KNOWN = 'the run is known: its id comes from a row or a caller who was checked before'
const WORK = 'the durable protocol works on every run alike'
const SLOTS = 'tests occupy slots as runs do'

/** The number of statements of a file that include both kinds, and the reason. */
const BOTH: Readonly<Record<string, readonly [number, string]>> = {
  'packages/storage/src/builder-lists/organizations.ts': [
    1,
    'an organization with work of any kind is not deleted',
  ],
  'packages/storage/functions/accept_run.sql': [
    5,
    `it writes both kinds, and counts both: ${SLOTS}; of tests of a person it says so`,
  ],
  'packages/storage/src/approvals/decide-approval.ts': [2, KNOWN],
  'packages/storage/src/approvals/rows.ts': [1, KNOWN],
  'packages/storage/src/approvals/store.ts': [3, KNOWN],
  'packages/storage/src/reviews/decide-review.ts': [2, KNOWN],
  'packages/storage/src/reviews/expire-reviews.ts': [2, WORK],
  'packages/storage/src/schedules/fire-schedules.ts': [2, 'no test has the source `schedule`'],
  'packages/storage/src/sessions/writer.ts': [1, KNOWN],
  'packages/storage/src/workflow-runs/cancel-run.ts': [2, WORK],
  'packages/storage/src/workflow-runs/claim-run.ts': [1, WORK],
  'packages/storage/src/workflow-runs/commit-run.ts': [2, WORK],
  'packages/storage/src/workflow-runs/end-orphans.ts': [1, KNOWN],
  'packages/storage/src/workflow-runs/pause-run.ts': [3, 'budgets pause tests as they pause runs'],
  'packages/storage/src/workflow-runs/run-rows.ts': [1, KNOWN],
  'packages/storage/src/workflow-runs/seeds.ts': [1, 'results of runs and of tests are taken alike'],
  'packages/storage/src/workflow-runs/sweep-expired.ts': [
    3,
    'retention erases both; a duty of its own deletes tests after seven days',
  ],
  'packages/storage/src/usage-ledger/record-usage.ts': [1, KNOWN],
  'packages/storage/src/usage-ledger/usage-rows.ts': [1, KNOWN],
  'packages/storage/src/run-explorer/changes/changes.ts': [3, 'open pages are told of both'],
  'packages/storage/src/run-explorer/runs/branches.ts': [1, KNOWN],
  'packages/storage/src/run-explorer/runs/failure-causes.ts': [1, KNOWN],
  'packages/storage/src/run-explorer/runs/find-run-head.ts': [
    1,
    'a page of a run shows tests, too, and says so',
  ],
  'packages/storage/src/run-explorer/runs/find-run.ts': [2, 'a page of a run shows tests, too, and says so'],
  'packages/storage/src/run-explorer/runs/node-list.ts': [3, 'a page of a run shows tests, too, and says so'],
  'packages/storage/src/run-explorer/runs/summary.ts': [1, KNOWN],
  'packages/storage/src/run-explorer/runs/test-source.ts': [
    2,
    'results and costs of runs and of tests are taken alike',
  ],
  'packages/storage/src/voice/sessions/erase-expired.ts': [1, KNOWN],
}

test('every statement over workflow runs states its kind, or is listed with a reason to include both', () => {
  const sources = workspaces().flatMap((workspace) => workspace.sources)
  const statements = [
    ...sources.filter(
      ({ isTest, isTool, path }) => !isTest && !isTool && !/^(bench|packages\/test-kit)\//.test(path),
    ),
    ...globSync('packages/storage/functions/*.sql', { cwd: ROOT }).map((found) => ({
      path: found.replaceAll('\\', '/'),
      text: readFileSync(join(ROOT, found), 'utf8'),
    })),
  ]
  const found = statements.flatMap(({ path, text }) => {
    const count = withoutKind(text)
    return count === 0 ? [] : [[path, count] as const]
  })
  const listed = Object.entries(BOTH).map(([path, [count]]) => [path, count] as const)
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed))
})

describe('a statement', () => {
  test.each([
    ['select count(*) from workflow_runs where organization_id = $1', 1],
    ["select 1 from workflow_runs where kind = 'run' and id = $1", 0],
    ["delete from workflow_runs\nwhere kind = 'test'", 0],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a statement
    ['`select status from workflow_runs where ${runInScope(p)}`', 0],
    ['db.select().from(workflowRuns)', 1],
    ["`select 1 from workflow_runs`,\n`select 2 from workflow_runs where kind = 'run'`", 1],
    ['insert into workflow_run_seeds select 1', 0],
    ['select workflow_runs.id from runs', 0],
  ])('%j: %i without a kind', (text, count) => {
    expect(withoutKind(text)).toBe(count)
  })
})
