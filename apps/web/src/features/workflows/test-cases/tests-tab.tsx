import type { IdText, WorkflowId } from '@troupe/contract'
import type { BuilderWorkflow, TestCase } from '@troupe/contract/builder'
import { FlaskConical, Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { LinkButton, TextLink } from '../../../atoms/controls/text-link.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge, Status } from '../../../atoms/states/badge.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import { testCaseWords as words } from '../../../core/messages/en/workflows/test-cases.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { optionalParam } from '../../../core/url/search-params.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../../parts/confirm-change/confirm-change.tsx'
import { TestCaseDialog } from './test-case-dialog.tsx'
import styles from './test-cases.module.css'
import { type CaseRunner, useCaseRunner } from './use-case-runner.ts'

const PARAMS = { case: optionalParam }

/** The test cases of a workflow, with their results. */
export function TestsTab({ workflow }: { workflow: BuilderWorkflow }) {
  const { paths } = usePlace()
  const { workflowId } = workflow
  const [{ case: opened }, setParams] = useSearchParams(PARAMS)
  const refusal = useRefusal('build')
  const runner = useCaseRunner(workflow)
  const close = () => setParams({ case: null })
  return (
    <div className={styles.tab}>
      <AskedPanel asked={runner.cases} failed={words.failed} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty
                picture={<FlaskConical size={22} />}
                title={words.emptyTitle}
                actions={<LinkButton href={paths.workflow(workflowId, 'runs')}>{words.toRuns}</LinkButton>}
              >
                {words.empty}
              </Empty>
            </Card>
          ) : (
            <Section title={words.title} detail={words.detail}>
              <RunBar cases={data} runner={runner} refusal={refusal} />
              <ul className={styles.list}>
                {data.map((one) => (
                  <li key={one.testCaseId}>
                    <CaseCard
                      one={one}
                      runner={runner}
                      refusal={refusal}
                      onEdit={() => setParams({ case: one.testCaseId }, { push: true })}
                      workflowId={workflowId}
                    />
                  </li>
                ))}
              </ul>
            </Section>
          )
        }
      </AskedPanel>
      {opened !== null && refusal === null && (
        <TestCaseDialog key={opened} workflow={workflow} testCaseId={opened} onClose={close} />
      )}
    </div>
  )
}

interface RunBarProps {
  cases: readonly TestCase[]
  runner: CaseRunner
  refusal: string | null
}

function RunBar({ cases, runner, refusal }: RunBarProps) {
  const ids = cases.map(({ testCaseId }) => testCaseId)
  const blocking = cases.filter((one) => one.blocking).map(({ testCaseId }) => testCaseId)
  return (
    <>
      <div className={styles.bar}>
        <RefusableButton
          emphasis="primary"
          refusal={refusal}
          icon={<Play size={14} />}
          isPending={runner.waiting.length > 0}
          onPress={() => runner.run(ids)}
        >
          {words.runAll}
        </RefusableButton>
        {blocking.length > 0 && blocking.length < ids.length && (
          <RefusableButton refusal={refusal} onPress={() => runner.run(blocking)}>
            {words.runBlocking}
          </RefusableButton>
        )}
        {runner.waiting.length > 0 && (
          <RefusableButton refusal={null} onPress={runner.stop}>
            {words.stop}
          </RefusableButton>
        )}
        <span role="status" aria-live="polite" className={styles.muted}>
          {runner.waiting.length > 0 &&
            (runner.isSaved ? words.waiting(runner.waiting.length) : words.unsaved)}
        </span>
      </div>
      <FailurePanel title={words.runFailed} failure={runner.failure} />
    </>
  )
}

interface CaseCardProps {
  one: TestCase
  runner: CaseRunner
  refusal: string | null
  workflowId: IdText<WorkflowId>
  onEdit(): void
}

function CaseCard({ one, runner, refusal, workflowId, onEdit }: CaseCardProps) {
  const { paths } = usePlace()
  const [isDeleting, setDeleting] = useState(false)
  const { testCaseId, name, blocking, mocks, expect, result, fromRunId } = one
  const steps = new Set(mocks.map(({ nodeId }) => nodeId))
  return (
    <Card>
      <article className={styles.case} aria-label={name}>
        <div className={styles.head}>
          <h3>{name}</h3>
          <Verdict one={one} />
          {blocking && <Badge tone="info">{words.blocking}</Badge>}
          <RefusableButton
            size="small"
            refusal={refusal}
            isPending={runner.waiting.includes(testCaseId)}
            onPress={() => runner.run([testCaseId])}
          >
            {words.run}
          </RefusableButton>
          {refusal === null && (
            <ActionMenu
              label={words.menu(name)}
              entries={[
                { id: 'edit', label: words.edit, icon: <Pencil size={16} />, onAction: onEdit },
                {
                  id: 'delete',
                  label: words.remove,
                  icon: <Trash2 size={16} />,
                  isDanger: true,
                  onAction: () => setDeleting(true),
                },
              ]}
            />
          )}
        </div>
        <p className={styles.muted}>
          {words.expects(expect.status, expect.output?.kind ?? null)} · {words.mocks(steps.size)}
          {fromRunId !== null && (
            <>
              {' · '}
              <TextLink href={paths.run(fromRunId)}>{words.sourceRun}</TextLink>
            </>
          )}
          {result !== null && result.runStatus !== null && (
            <>
              {' · '}
              <TextLink href={withSearch(paths.workflow(workflowId), { view: 'map', run: result.runId })}>
                {words.opened}
              </TextLink>
            </>
          )}
        </p>
        {result !== null && result.differences.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          <section className={styles.scroll} aria-label={words.differences} tabIndex={0}>
            <table className={styles.differences}>
              <caption>{words.differences}</caption>
              <thead>
                <tr>
                  <th scope="col">{words.path}</th>
                  <th scope="col">{words.expected}</th>
                  <th scope="col">{words.actual}</th>
                </tr>
              </thead>
              <tbody>
                {result.differences.map(({ path, expected, actual }) => (
                  <tr key={path}>
                    <th scope="row">
                      <code>{path}</code>
                    </th>
                    <td>
                      <code>{expected}</code>
                    </td>
                    <td>
                      <code>{actual}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </article>
      {isDeleting && (
        <ConfirmChange
          operation="deleteTestCase"
          input={{ params: { workflowId, testCaseId } }}
          refreshes={['listTestCases', 'previewPublish']}
          title={words.removeTitle(name)}
          action={words.removeAction}
          failed={words.removeFailed}
          onClose={() => setDeleting(false)}
          onDone={() => {
            showNotice({ title: words.removed(name) })
            setDeleting(false)
          }}
        >
          {words.removeDetail}
        </ConfirmChange>
      )}
    </Card>
  )
}

/** The result of a case's newest test, by shape, colour and word. */
function Verdict({ one: { result } }: { one: TestCase }) {
  if (result === null) return <Status state="queued">{words.verdicts.never}</Status>
  const { verdict, isCurrent, runStatus } = result
  const outdated = !isCurrent && <Badge tone="warn">{words.verdicts.outdated}</Badge>
  if (verdict === 'running') {
    const waits = runStatus === 'awaiting_approval'
    return (
      <Status state={waits ? 'waiting' : 'running'}>
        {waits ? words.waitsForReview : words.verdicts.running}
      </Status>
    )
  }
  const state = { passed: 'completed', failed: 'failed', unknown: 'cancelled' } as const
  return (
    <>
      <Status state={state[verdict]}>{words.verdicts[verdict]}</Status>
      {outdated}
    </>
  )
}
