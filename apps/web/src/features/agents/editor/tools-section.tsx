import { propertyOf, type ToolType } from '@troupe/contract'
import { Plus, Wrench } from 'lucide-react'
import { Button } from '../../../atoms/controls/button.tsx'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import { AGENT_SETTING_WORDS } from '../../../core/messages/en/agents/agent-settings.ts'
import { agentToolWords as words } from '../../../core/messages/en/agents/agent-tools.ts'
import { useOperations } from '../../../infrastructure/queries/use-operations.ts'
import { listAt } from '../../../parts/config-form/config-form.ts'
import { ItemCard, SettingItems } from '../../../parts/config-form/item-card.tsx'
import { SettingFrame } from '../../../parts/config-form/setting-frame.tsx'
import { useSettingItems } from '../../../parts/config-form/use-setting-items.ts'
import { approvalSentence, readApproval } from './approval-rule.ts'
import { ToolFields, type ToolFieldsProps } from './tool-fields.tsx'
import { isToolKind, newTool, type ServerOfTool, toolSummary, toolTitle } from './tool-kinds.ts'

/** The tools of an agent, each with its limits, its approval and a test call. */
export function ToolsSection({ form, projectId }: Omit<ToolFieldsProps, 'at'>) {
  const tools = listAt(form, 'tools')
  const serverOf = useServersOfTools(tools)
  const list = useSettingItems(form, 'tools', (index) => toolTitle(tools[index], serverOf(tools[index])))
  const most = form.specOf('tools')?.longest ?? 64
  const add = (kind: ToolType) => list.add(newTool(kind, tools))
  const button = form.isReadOnly ? null : <AddTool isFull={tools.length >= most} onAdd={add} />
  return (
    <SettingFrame form={form} path="tools">
      {tools.length === 0 ? (
        <Empty picture={<Wrench size={22} />} title={words.none} actions={button}>
          {words.noneText}
        </Empty>
      ) : (
        <SettingItems label={AGENT_SETTING_WORDS.tools.label} said={list.said}>
          {tools.map((tool, index) => {
            const kind = propertyOf(tool, 'type')
            const approval = readApproval(propertyOf(tool, 'approval'))
            return (
              <ItemCard
                key={list.keyOf(index)}
                form={form}
                path={`tools.${index}`}
                title={toolTitle(tool, serverOf(tool))}
                kind={isToolKind(kind) ? words.kinds[kind].label : String(kind)}
                summary={toolSummary(tool, serverOf(tool))}
                marks={
                  approval.kind === 'never' ? null : <Badge tone="warn">{approvalSentence(approval)}</Badge>
                }
                moves={list.movesOf(index)}
                hasDuplicate
                isOpenAtFirst={list.isNew(index)}
              >
                <ToolFields form={list.formOf(index)} at={`tools.${index}`} projectId={projectId} />
              </ItemCard>
            )
          })}
        </SettingItems>
      )}
      {tools.length > 0 && button}
    </SettingFrame>
  )
}

/** The registered MCP servers referenced by tools, once they are loaded. */
function useServersOfTools(tools: readonly unknown[]): (tool: unknown) => ServerOfTool | undefined {
  const named = tools.map((tool) => propertyOf(tool, 'server_id')).filter((id) => typeof id === 'string')
  const ids = [...new Set(named)]
  const asked = useOperations(
    'getMcpServer',
    ids.map((mcpServerId) => ({ params: { mcpServerId } })),
  )
  return (tool) => {
    const server = asked[ids.indexOf(String(propertyOf(tool, 'server_id')))]?.data
    return server && { name: server.name, tools: server.tools.map(({ name }) => name) }
  }
}

function AddTool({ isFull, onAdd }: { isFull: boolean; onAdd(kind: ToolType): void }) {
  const entries = Object.entries(words.kinds).flatMap(([kind, text]) =>
    isToolKind(kind) ? [{ id: kind, ...text, onAction: () => onAdd(kind) }] : [],
  )
  return (
    <ActionMenu
      label={words.add}
      trigger={
        <Button size="small" icon={<Plus size={14} />} isDisabled={isFull}>
          {words.add}
        </Button>
      }
      entries={entries}
      placement="bottom start"
    />
  )
}
