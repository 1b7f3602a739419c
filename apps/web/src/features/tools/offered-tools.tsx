import type { McpServerDetails } from '@troupe/contract/builder'
import { Suspense, useState } from 'react'
import { Card } from '../../atoms/layout/page.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Badge } from '../../atoms/states/badge.tsx'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { argumentsOf } from '../../core/tools/argument-names.ts'
import { storedDefinition } from '../../core/tools/stored-definition.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import styles from './tools.module.css'

// Few visits test a tool.
const ToolTest = lazyPart(async () => (await import('../../parts/tool-test/tool-test.tsx')).ToolTest)

const words = toolWords.servers
/** A prefix of the test call, so that the name of the tool is known. */
const PREFIX = 'test'

export interface OfferedToolsProps {
  server: McpServerDetails
  /** The server's current tools; null: not refreshed. */
  offered: readonly string[] | null
}

/** The tools of a server, each with a test call. */
export function OfferedTools({ server, offered }: OfferedToolsProps) {
  const [tried, setTried] = useState<string | null>(null)
  const refusal = useRefusal('build')
  const chosen = server.tools.find(({ name }) => name === tried)
  return (
    <>
      <Card flush>
        <ul className={styles.tools} aria-label={words.tools}>
          {server.tools.map(({ name, definition, changed }) => {
            const { description, inputSchema } = storedDefinition(definition)
            const isAway = offered !== null && !offered.includes(name)
            return (
              <li key={name} className={styles.tool}>
                <div className={styles.head}>
                  <span className={styles.name}>{name}</span>
                  {changed && <Badge tone="warn">{words.waiting(1)}</Badge>}
                  {isAway && <Badge>{words.away}</Badge>}
                  <RefusableButton
                    size="small"
                    refusal={refusal ?? (changed && words.confirmFirst)}
                    aria-label={words.tryTitle(name)}
                    onPress={() => setTried(name)}
                  >
                    {words.tryIt}
                  </RefusableButton>
                </div>
                {description && <p className={styles.about}>{description}</p>}
                <ArgumentList schema={inputSchema} />
              </li>
            )
          })}
        </ul>
      </Card>
      <SideSheet
        isOpen={chosen !== undefined}
        onClose={() => setTried(null)}
        title={words.tryTitle(tried ?? '')}
        isDismissable={false}
      >
        {chosen && (
          <Suspense fallback={<Skeleton lines={6} />}>
            <ToolTest
              key={chosen.name}
              tool={{ type: 'mcp', server_id: server.mcpServerId, prefix: PREFIX, allow: [chosen.name] }}
              name={shownName(chosen.name)}
              inputSchema={storedDefinition(chosen.definition).inputSchema}
            />
          </Suspense>
        )}
      </SideSheet>
    </>
  )
}

function ArgumentList({ schema }: { schema: Readonly<Record<string, unknown>> | null }) {
  if (schema === null) return null
  const args = argumentsOf(schema)
  if (args.length === 0) return <p className={styles.about}>{words.noArguments}</p>
  return (
    <ul className={styles.arguments} aria-label={words.arguments}>
      {args.map(({ name, type, isRequired }) => (
        <li key={name}>
          <code translate="no">{name}</code>
          {isRequired ? '*' : ''} {type}
        </li>
      ))}
    </ul>
  )
}

/** As the server composes it from the prefix and the tool's own name. */
function shownName(name: string): string {
  return `${PREFIX}_${name.slice(0, 64).replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`
}
