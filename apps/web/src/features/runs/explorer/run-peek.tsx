import type { ListedRun } from '@troupe/contract/builder'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Status } from '../../../atoms/states/badge.tsx'
import { ErrorPanel } from '../../../atoms/states/panels.tsx'
import { runWords } from '../../../core/messages/en/runs.ts'
import { shownStatus, stateOfRun } from '../../../core/runs/run-state.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { FactsOfRun } from '../run-summary.tsx'
import styles from './explorer.module.css'
import { nameOfRun } from './run-columns.tsx'

/** The list's data of a run, without another request. */
export function RunPeek({ run }: { run: ListedRun }) {
  const { paths } = usePlace()
  const { kind, entity, error } = run
  const status = shownStatus(run)
  const entityPath = { agent: paths.agent, team: paths.team, workflow: paths.workflow }[kind]
  return (
    <>
      <div className={styles.peeked}>
        <Status state={stateOfRun(status)} look="badge">
          {runWords.statuses[status]}
        </Status>
        <span>
          {runWords.kind[kind]} <TextLink href={entityPath(entity.id)}>{nameOfRun(run)}</TextLink>
        </span>
      </div>
      {error && <ErrorPanel title={error.code ?? runWords.error} message={error.message} />}
      <FactsOfRun run={run} />
      <CopyField label={runWords.id} text={run.runId} />
    </>
  )
}
