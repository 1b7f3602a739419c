import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { KindTile } from '../../atoms/states/kind-tile.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { homeWords as words } from '../../core/messages/en/operate/home.ts'
import { projectInput } from '../../core/url/list-params.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

const MOST = 6

/** The most recently changed agents, teams and workflows; nothing without any. */
export function RecentEdits() {
  const { paths, projectId } = usePlace()
  const query = { ...projectInput(projectId).query, sort: '-updatedAt', limit: MOST } as const
  const agents = useOperation('listAgents', { query })
  const teams = useOperation('listTeams', { query })
  const workflows = useOperation('listWorkflows', { query })
  const edits = [
    ...(agents.data?.data ?? []).map((one) => ({
      ...{ kind: 'agent' as const, id: one.agentId, href: paths.agent(one.agentId) },
      ...{ name: one.name, at: one.updatedAt },
    })),
    ...(teams.data?.data ?? []).map((one) => ({
      ...{ kind: 'team' as const, id: one.teamId, href: paths.team(one.teamId) },
      ...{ name: one.name, at: one.updatedAt },
    })),
    ...(workflows.data?.data ?? []).map((one) => ({
      ...{ kind: 'workflow' as const, id: one.workflowId, href: paths.workflow(one.workflowId) },
      ...{ name: one.name, at: one.updatedAt },
    })),
  ]
  const newest = edits.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, MOST)
  if (newest.length === 0) return null
  return (
    <Section title={words.edited}>
      <Card flush>
        <RowList
          label={words.edited}
          rows={newest.map(({ kind, id, name, href, at }) => ({
            id,
            title: name,
            lead: <KindTile kind={kind} label={words.kinds[kind]} size="small" />,
            end: <MomentText at={at} />,
            href,
          }))}
        />
      </Card>
    </Section>
  )
}
