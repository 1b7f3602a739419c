import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { MODEL_LINK_WORDS } from '../../../core/messages/en/model-link.ts'
import { outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import type { ModelSetting } from '../../../core/workflows/model-setting.ts'
import type { Setting, SettingValue } from '../../../core/workflows/node-settings.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useLlmConfigurations } from '../../../infrastructure/queries/use-whole-list.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { modelName } from '../../../parts/model-chain/llm-choices.ts'
import styles from './step-facts.module.css'

/** The read-only settings of a node. */
export function SettingList({ settings }: { settings: readonly Setting[] }) {
  return (
    <dl className={styles.settings}>
      {settings.map((setting, index) => (
        <div key={setting.path || index} className={styles.setting}>
          <dt>
            {setting.title}
            {setting.isDefault && setting.value.kind !== 'none' && <Badge>{words.byDefault}</Badge>}
          </dt>
          <dd>
            <SettingText title={setting.title} value={setting.value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function SettingText({ title, value }: { title: string; value: SettingValue }) {
  switch (value.kind) {
    case 'none':
      return words.none
    case 'switch':
      return value.isOn ? words.on : words.off
    case 'text':
      return <TokenText text={value.text} />
    case 'lines':
      return <TokenText text={value.lines.join('\n')} />
    case 'resource':
      return value.resource === 'agent' ? <AgentName id={value.id} /> : <TeamName id={value.id} />
    case 'model':
      return <ModelNames title={title} {...value} />
    case 'people':
      return <PeopleNames ids={value.ids} />
    case 'group':
      return (
        <div className={styles.nested}>
          <SettingList settings={value.settings} />
        </div>
      )
    case 'list':
      return (
        <div className={styles.items}>
          {value.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the row
            <div key={index} className={styles.nested}>
              <SettingList settings={item} />
            </div>
          ))}
        </div>
      )
    case 'json':
      return <CodeBlock label={title} text={value.text} isWrapped />
    default:
      return value satisfies never
  }
}

/** A text with highlighted tokens. */
function TokenText({ text }: { text: string }) {
  const parts = text.split(/(\{\{[^{}]*\}\})/)
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the token
      <span key={index} className={styles.token}>
        {part}
      </span>
    ) : (
      part
    ),
  )
}

function AgentName({ id }: { id: string }) {
  const { paths } = usePlace()
  const { data } = useOperation('getAgent', { params: { agentId: id } })
  return <TextLink href={paths.agent(id)}>{data?.name ?? id}</TextLink>
}

function ModelNames({ title, links, rest }: { title: string } & Extract<SettingValue, { kind: 'model' }>) {
  const { data = [] } = useLlmConfigurations()
  const nameOf = ({ configurationId, modelId }: ModelSetting) => {
    const found = data.find(({ llmConfigId }) => llmConfigId === configurationId) ?? null
    const name = found?.name ?? configurationId ?? MODEL_LINK_WORDS.llm_config_id.none
    return found || modelId !== null ? `${name} · ${modelName(found, modelId)}` : name
  }
  return (
    <>
      {links.map((link, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the model
        <div key={index}>{nameOf(link)}</div>
      ))}
      {rest !== null && <CodeBlock label={title} text={rest} isWrapped />}
    </>
  )
}

function PeopleNames({ ids }: { ids: readonly string[] }) {
  const { data } = useOperation('listMembers', {})
  const nameOf = (id: string) => data?.members.find(({ userId }) => userId === id)?.name ?? id
  return ids.map(nameOf).join(', ')
}

function TeamName({ id }: { id: string }) {
  const { paths } = usePlace()
  const { data } = useOperation('getTeam', { params: { teamId: id } })
  return <TextLink href={paths.team(id)}>{data?.name ?? id}</TextLink>
}
