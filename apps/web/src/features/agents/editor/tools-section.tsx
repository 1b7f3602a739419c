import { propertyOf, type ToolType } from '@troupe/contract'
import { Plus, Wrench } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { ActionMenu } from '../../../atoms/overlays/menu.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import { AGENT_SETTING_WORDS } from '../../../core/messages/en/agents/agent-settings.ts'
import { agentToolWords as words } from '../../../core/messages/en/agents/agent-tools.ts'
import { listAt } from '../../../parts/config-form/config-form.ts'
import { ItemCard, SettingItems } from '../../../parts/config-form/item-card.tsx'
import { settingElementId } from '../../../parts/config-form/setting-element-id.ts'
import { SettingFrame } from '../../../parts/config-form/setting-frame.tsx'
import { useSettingItems } from '../../../parts/config-form/use-setting-items.ts'
import { approvalSentence, readApproval } from './approval-rule.ts'
import { ToolFields, type ToolFieldsProps } from './tool-fields.tsx'
import { isToolKind, newTool, toolSummary, toolTitle } from './tool-kinds.ts'

/** The tools of an agent, each with its limits, its approval and a test call. */
export function ToolsSection({ form, projectId }: Omit<ToolFieldsProps, 'at'>) {
  const tools = listAt(form, 'tools')
  const list = useSettingItems(form, 'tools', (index) => toolTitle(tools[index]))
  const most = form.specOf('tools')?.longest ?? 64
  // The item itself: a colleague may have put another one in its place.
  const [added, setAdded] = useState<unknown>(null)
  const add = (kind: ToolType) => {
    const tool = newTool(kind, tools)
    setAdded(tool)
    form.set('tools', [...tools, tool])
    // The button of an empty list goes away with it.
    focusNext(() =>
      document.getElementById(settingElementId(`tools.${tools.length}`))?.querySelector('summary'),
    )
  }
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
                title={toolTitle(tool)}
                kind={isToolKind(kind) ? words.kinds[kind].label : String(kind)}
                summary={toolSummary(tool)}
                marks={
                  approval.kind === 'never' ? null : <Badge tone="warn">{approvalSentence(approval)}</Badge>
                }
                moves={list.movesOf(index)}
                hasDuplicate
                isOpenAtFirst={added === tool}
              >
                <ToolFields form={form} at={`tools.${index}`} projectId={projectId} />
              </ItemCard>
            )
          })}
        </SettingItems>
      )}
      {tools.length > 0 && button}
    </SettingFrame>
  )
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
      groups={[{ id: 'kinds', entries }]}
      placement="bottom start"
    />
  )
}
