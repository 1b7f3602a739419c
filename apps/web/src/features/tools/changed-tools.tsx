import type { IdText, McpServerId } from '@troupe/contract'
import type { McpServerDetails } from '@troupe/contract/builder'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import styles from './tools.module.css'

const words = toolWords.servers

type StoredTool = McpServerDetails['tools'][number]

export interface ChangedToolsProps {
  mcpServerId: IdText<McpServerId>
  /** The changed tools. */
  tools: readonly StoredTool[]
}

/** Tools that differ from the confirmed ones: their previous and current prompts. */
export function ChangedTools({ mcpServerId, tools }: ChangedToolsProps) {
  const confirm = useChange('confirmMcpTools', { refreshes: ['getMcpServer', 'listMcpServers'] })
  const refusal = useRefusal('manage')
  // Confirms exactly the shown version: the server refuses a tool that has changed again in the meantime.
  const run = async (shown: readonly StoredTool[]) => {
    const confirmed = shown.flatMap(({ name, changed }) =>
      changed ? [{ name, fingerprint: changed.fingerprint }] : [],
    )
    const done = await confirm.run({ params: { mcpServerId }, body: { tools: confirmed } })
    if (done) showNotice({ title: words.confirmed(confirmed.length) })
  }
  return (
    <Section
      title={words.changes}
      detail={words.changesDetail}
      actions={
        tools.length > 1 ? (
          <RefusableButton
            size="small"
            refusal={refusal}
            isPending={confirm.isPending}
            onPress={() => run(tools)}
          >
            {words.confirmAll}
          </RefusableButton>
        ) : undefined
      }
    >
      <FailurePanel title={words.confirmFailed} failure={confirm.failure} />
      <Card flush>
        <ul className={styles.tools}>
          {tools.map((tool) => (
            <li key={tool.name} className={styles.tool}>
              <div className={styles.head}>
                <span className={styles.name}>{tool.name}</span>
                <span>
                  {words.since} <MomentText at={tool.changed?.at ?? null} />
                </span>
                <RefusableButton
                  size="small"
                  refusal={refusal}
                  isPending={confirm.isPending}
                  onPress={() => run([tool])}
                >
                  {words.confirm}
                </RefusableButton>
              </div>
              <TextDiff
                label={tool.name}
                before={readable(tool.definition)}
                after={readable(tool.changed?.definition ?? '')}
                isMono
                around={2}
              />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

/** Escaped line breaks in a description become line breaks, so that differences are shown per line. */
function readable(definition: string): string {
  return definition.replaceAll('\\n', '\n    ')
}
