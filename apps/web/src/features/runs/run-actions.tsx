import type { RunDetail } from '@troupe/contract/builder'
import { Clipboard, FlaskConical, Pause, Play, RotateCcw, Square, StepForward } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { copyAndSay } from '../../atoms/overlays/copy-and-say.ts'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import { testWords } from '../../core/messages/en/workflows/testing.ts'
import { runMarkdown } from '../../core/runs/run-markdown.ts'
import { isEnded } from '../../core/runs/run-state.ts'
import { withSearch } from '../../core/url/paths.ts'
import type { CallFailure } from '../../infrastructure/client/call-failure.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

interface RunActionsProps {
  run: RunDetail
  /** A failure is shown in the page, which has more room. */
  onFailure(title: string, failure: CallFailure): void
}

/** Cancel, pause or run again, and copy the run as Markdown. */
export function RunActions({ run, onFailure }: RunActionsProps) {
  return (
    <>
      <CopyMarkdown run={run} />
      {isEnded(run.status) && <RerunFromFailed run={run} />}
      {isEnded(run.status) && run.kind === 'workflow' && run.entity.name !== null && (
        <SaveAsTestCase run={run} onFailure={onFailure} />
      )}
      {isEnded(run.status) ? (
        <Rerun run={run} onFailure={onFailure} />
      ) : (
        <InFlightActions run={run} onFailure={onFailure} />
      )}
    </>
  )
}

function CopyMarkdown({ run }: { run: RunDetail }) {
  const copy = async () => {
    const { origin, pathname } = window.location
    await copyAndSay(runMarkdown(run, origin + pathname), runWords.markdownCopied)
  }
  return (
    <Button emphasis="quiet" icon={<Clipboard size={16} />} onPress={() => void copy()}>
      {/* Its icon is enough on a phone; the buttons of a workflow's run are below the title there. */}
      <span {...(run.kind === 'workflow' ? { 'data-long': '' } : { 'data-rare': '' })}>
        {runWords.copyMarkdown}
      </span>
    </Button>
  )
}

/** Opens a test of the draft from the failed step, with the results of this run before it. */
function RerunFromFailed({ run }: Pick<RunActionsProps, 'run'>) {
  const { paths } = usePlace()
  const refusal = useRefusal('build')
  const failed = run.workflowRun?.nodes.find(({ status }) => status === 'failed')
  if (!failed) return null
  const icon = <StepForward size={16} />
  if (refusal !== null) {
    return (
      <RefusableButton refusal={refusal} icon={icon}>
        {testWords.rerunFailed}
      </RefusableButton>
    )
  }
  const place = { test: 'from', testStep: failed.nodeId, testPath: failed.path, testRun: run.runId }
  return (
    <LinkButton href={withSearch(paths.workflow(run.entity.id), place)} icon={icon}>
      {testWords.rerunFailed}
    </LinkButton>
  )
}

/** Creates a test case of the workflow from this run, and opens it. */
function SaveAsTestCase({ run: { runId, entity }, onFailure }: RunActionsProps) {
  const { paths } = usePlace()
  const refusal = useRefusal('build')
  const goTo = useGoTo()
  const make = useChange('createTestCase', { refreshes: ['listTestCases', 'previewPublish'] })
  const save = async () => {
    const made = await make.run(
      { params: { workflowId: entity.id }, body: { fromRunId: runId } },
      (failure) => onFailure(testWords.testCaseFailed, failure),
    )
    if (!made) return
    showNotice({ title: testWords.testCaseMade(made.answer.name) })
    goTo(withSearch(paths.workflow(entity.id, 'tests'), { case: made.answer.testCaseId }))
  }
  return (
    <RefusableButton
      refusal={refusal}
      emphasis="quiet"
      icon={<FlaskConical size={16} />}
      onPress={() => void save()}
      isPending={make.isPending}
    >
      {testWords.saveAsTestCase}
    </RefusableButton>
  )
}

function Rerun({ run: { runId }, onFailure }: RunActionsProps) {
  const { paths } = usePlace()
  const refusal = useRefusal('build')
  const goTo = useGoTo()
  const rerun = useChange('rerun', { refreshes: ['listRuns'] })
  const again = async () => {
    const started = await rerun.run({ params: { runId } }, (failure) =>
      onFailure(runWords.rerunFailed, failure),
    )
    if (started) goTo(paths.run(started.answer.runId))
  }
  return (
    <RefusableButton
      refusal={refusal}
      icon={<RotateCcw size={16} />}
      onPress={() => void again()}
      isPending={rerun.isPending}
    >
      {runWords.rerun}
    </RefusableButton>
  )
}

function InFlightActions({ run, onFailure }: RunActionsProps) {
  const { runId, kind, status } = run
  const settings = { refreshes: ['getRun', 'listRuns'] } as const
  const cancel = useChange('cancelRun', settings)
  const pause = useChange('pauseRun', settings)
  const resume = useChange('resumeRun', settings)
  const refusal = useRefusal('build')
  const input = { params: { runId } }
  const failed = (title: string) => (failure: CallFailure) => onFailure(title, failure)
  return (
    <>
      {kind === 'workflow' && status === 'paused' && (
        <RefusableButton
          refusal={refusal}
          icon={<Play size={16} />}
          isPending={resume.isPending}
          onPress={() => void resume.run(input, failed(runWords.resumeFailed))}
        >
          {runWords.resume}
        </RefusableButton>
      )}
      {kind === 'workflow' && status !== 'paused' && (
        <RefusableButton
          refusal={refusal}
          icon={<Pause size={16} />}
          isPending={pause.isPending}
          onPress={() => void pause.run(input, failed(runWords.pauseFailed))}
        >
          {runWords.pause}
        </RefusableButton>
      )}
      <RefusableButton
        refusal={refusal}
        emphasis="danger"
        icon={<Square size={14} />}
        isPending={cancel.isPending}
        onPress={() => void cancel.run(input, failed(runWords.cancelFailed))}
      >
        {runWords.cancel}
      </RefusableButton>
    </>
  )
}
