import type { IdText, McpServerId, ProjectId } from '@troupe/contract'
import { RefreshCw } from 'lucide-react'
import { CheckboxGroup, RadioGroup } from '../../atoms/controls/choices.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { pickerWords } from '../../core/messages/en/resources/pickers.ts'
import { storedDefinition } from '../../core/tools/stored-definition.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './pickers.module.css'
import { SearchPicker } from './search-picker.tsx'
import { MCP_SERVERS } from './searched-lists.ts'
import { isUsableIn } from './usable-in.ts'
import { useChoices } from './use-choices.ts'

const words = pickerWords.servers

/** The server of a tool of the type `mcp`, and its selected tools. */
export interface McpServerChoice {
  /** null: none is chosen yet. */
  server_id: IdText<McpServerId> | null
  /** null: every tool. */
  allow: readonly string[] | null
}

export interface McpServerPickerProps {
  value: McpServerChoice
  onChange(choice: McpServerChoice): void
  /** The project of the agent; null: it belongs to the organization. */
  projectId: IdText<ProjectId> | null
  error?: string | null
  isDisabled?: boolean
}

/** A registered MCP server with the tools that an agent gets from it. */
export function McpServerPicker(props: McpServerPickerProps) {
  const { value, onChange, projectId, error, isDisabled = false } = props
  const { paths } = usePlace()
  const { server_id: chosen } = value
  const servers = useChoices(MCP_SERVERS, chosen ? [chosen] : [])
  const known = chosen === null ? undefined : servers.thing(chosen)
  const isUsable = known !== undefined && isUsableIn(projectId, known)
  const isGone = chosen !== null && !isUsable && (known !== undefined || servers.isGone(chosen))
  return (
    <div className={styles.stack}>
      <SearchPicker
        label={words.label}
        placeholder={words.choose}
        error={isGone ? pickerWords.gone : (error ?? servers.failure?.message ?? null)}
        isDisabled={isDisabled}
        value={chosen}
        name={known?.name ?? null}
        onType={servers.onType}
        isSearching={servers.isSearching}
        onChange={(id) => id !== chosen && onChange({ server_id: id, allow: null })}
        options={servers.found
          .filter((server) => isUsableIn(projectId, server))
          .map(({ mcpServerId, name, url }) => ({ id: mcpServerId, label: name, detail: url }))}
      />
      {chosen !== null && isUsable && (
        <ServerTools
          serverId={chosen}
          allow={value.allow}
          isDisabled={isDisabled}
          onChange={(allow) => onChange({ ...value, allow })}
        />
      )}
      <span>
        <TextLink href={paths.tools({})}>{words.make}</TextLink>
      </span>
    </div>
  )
}

interface ServerToolsProps {
  serverId: IdText<McpServerId>
  allow: readonly string[] | null
  isDisabled: boolean
  onChange(allow: readonly string[] | null): void
}

function ServerTools({ serverId, allow, isDisabled, onChange }: ServerToolsProps) {
  const asked = useOperation('getMcpServer', { params: { mcpServerId: serverId } })
  return (
    <AskedPanel asked={asked} failed={words.toolsFailed} lines={2}>
      {({ tools }) => (
        <>
          <RadioGroup
            label={words.which}
            isDisabled={isDisabled}
            value={allow === null ? 'all' : 'some'}
            onChange={(which) => onChange(which === 'all' ? null : (allow ?? tools.map(({ name }) => name)))}
            options={[
              { id: 'all', label: words.all, detail: words.allDetail },
              { id: 'some', label: words.some, detail: words.someDetail },
            ]}
          />
          {tools.length === 0 && <Callout>{words.noTools}</Callout>}
          {allow !== null && (
            <div className={styles.tools}>
              <CheckboxGroup
                label={words.tools}
                isLabelHidden
                isDisabled={isDisabled}
                value={allow}
                onChange={onChange}
                options={toolOptions(tools, allow)}
              />
            </div>
          )}
          <ConnectButton serverId={serverId} />
        </>
      )}
    </AskedPanel>
  )
}

type StoredTools = AnswerOf<'getMcpServer'>['tools']

/** The tools of the server, then allowed tools that it does not offer. */
function toolOptions(tools: StoredTools, allow: readonly string[]) {
  const offered = tools.map(({ name, definition, changed }) => ({
    id: name,
    label: name,
    detail: changed ? words.changed : storedDefinition(definition).description,
  }))
  const unknown = allow.filter((name) => tools.every((tool) => tool.name !== name))
  return [...offered, ...unknown.map((id) => ({ id, label: id, detail: words.unknown }))]
}

function ConnectButton({ serverId }: { serverId: IdText<McpServerId> }) {
  const refusal = useRefusal('build')
  const connect = useChange('connectMcpServer', { refreshes: ['getMcpServer', 'listMcpServers'] })
  const run = async () => {
    const done = await connect.run({ params: { mcpServerId: serverId } })
    if (!done) return
    const { ok, error, tools } = done.answer
    if (ok) showNotice({ title: words.refreshed(tools.length) })
    else showNotice({ title: words.unavailable, detail: error ?? '', tone: 'bad' })
  }
  return (
    <div className={styles.stack}>
      <span>
        <RefusableButton
          size="small"
          icon={<RefreshCw size={14} />}
          isPending={connect.isPending}
          refusal={refusal}
          onPress={run}
        >
          {words.refresh}
        </RefusableButton>
      </span>
      <FailurePanel title={words.unavailable} failure={connect.failure} />
    </div>
  )
}
