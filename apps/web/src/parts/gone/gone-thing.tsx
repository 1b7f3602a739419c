import { GonePanel, type GonePanelProps } from '../../atoms/states/gone-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { authorFirst } from '../../core/labels/author-name.ts'
import { goneWords } from '../../core/messages/en/parts/gone.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SearchAction } from './search-action.tsx'

export interface GoneThingProps extends Omit<GonePanelProps, 'detail'> {
  /** The possible reason of its absence. */
  detail: string
  /** The kind in the audit log. */
  kind:
    | 'agent'
    | 'team'
    | 'workflow'
    | 'knowledge_base'
    | 'skill'
    | 'mcp_server'
    | 'llm_configuration'
    | 'session'
    | 'voice_configuration'
    | 'phone_trunk'
  /** The id from the address. */
  id: string
}

/** {@link GonePanel} with the actor and time of the deletion, for readers of the audit log; for others, with a contact. */
export function GoneThing({ kind, id, detail, ...given }: GoneThingProps) {
  const { may } = usePlace()
  const refusal = useRefusal('manage')
  const panel = { search: <SearchAction />, ...given }
  const entityId = id.toLowerCase()
  const changes = useOperation(
    'listAudit',
    { query: { entityKind: kind, entityId, action: `${kind}.deleted`, limit: 1 } },
    { isEnabled: may('manage') },
  )
  const deletion = changes.data?.data[0]
  if (!deletion) {
    return <GonePanel {...panel} detail={refusal === null ? detail : goneWords.ask(detail, refusal)} />
  }
  const { actor, entity, at } = deletion
  return (
    <GonePanel
      {...panel}
      detail={
        <>
          {goneWords.deletedBy(authorFirst(actor), entity.name)}
          <MomentText at={at} />.
        </>
      }
    />
  )
}
