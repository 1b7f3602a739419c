import type { IdText, TeamId } from '@troupe/contract'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { duration } from '../../core/format/times.ts'
import { teamPageWords } from '../../core/messages/en/teams/page.ts'
import { runEstimate } from '../../core/teams/run-estimate.ts'
import { withSearch } from '../../core/url/paths.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './teams.module.css'

const words = teamPageWords.story
const NEWEST = 20

/** The cost of a team's newest runs, with a link to them; nothing without any. */
export function RecentRuns({ teamId }: { teamId: IdText<TeamId> }) {
  const { paths } = usePlace()
  const runs = useOperation('listRuns', { query: { kind: 'team', entityId: teamId, limit: NEWEST } })
  const estimate = runs.data && runEstimate(runs.data.data)
  if (!estimate) return null
  return (
    <p className={styles.small}>
      {words.took(estimate.runs, wholeNumber(estimate.tokens), duration(estimate.ms))}{' '}
      <TextLink href={withSearch(paths.runs, { kind: 'team', entity: teamId })}>{words.runs}</TextLink>
    </p>
  )
}
