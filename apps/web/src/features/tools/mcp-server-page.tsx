import type { McpServerDetails } from '@troupe/contract/builder'
import { RefreshCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { CopyField } from '../../atoms/controls/copy-field.tsx'
import { Card, Facts, PageLayout, Section } from '../../atoms/layout/page.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { moveWords } from '../../core/messages/en/parts/move.ts'
import { toolWords } from '../../core/messages/en/resources/tools.ts'
import { flagParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useGoTo, usePathParam, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { useRenameKey } from '../../parts/config-form/use-rename-key.ts'
import { GoneThing } from '../../parts/gone/gone-thing.tsx'
import { MoveThing } from '../../parts/move-things/move-thing.tsx'
import { UserLinks } from '../../parts/used-by/used-by.tsx'
import { ChangedTools } from './changed-tools.tsx'
import { ConnectionState } from './connection-state.tsx'
import { OfferedTools } from './offered-tools.tsx'
import styles from './tools.module.css'

const ServerDialog = lazyPart(async () => (await import('./server-dialog.tsx')).ServerDialog)
const DeleteServerDialog = lazyPart(async () => (await import('./delete-dialogs.tsx')).DeleteServerDialog)

const words = toolWords.servers
const PARAMS = { connect: flagParam }

/** One MCP server: its tools, changes and uses. */
export function McpServerPage() {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const mcpServerId = usePathParam('mcpServerId')
  const [{ connect: isNew }, setParams] = useSearchParams(PARAMS)
  const server = useOperation('getMcpServer', { params: { mcpServerId } })
  const connect = useChange('connectMcpServer', { refreshes: ['getMcpServer', 'listMcpServers'] })
  const [result, setResult] = useState<Parameters<typeof ConnectionState>[0]['result']>(null)
  const [question, setQuestion] = useState<'change' | 'move' | 'remove' | null>(null)
  const ask = async () => {
    const done = await connect.run({ params: { mcpServerId } })
    if (done) setResult(done.answer)
  }
  // The response of a server that has changed since, here or elsewhere, is outdated.
  const asked = server.data && `${server.data.version} ${server.data.url}`
  const [answered, setAnswered] = useState(asked)
  if (asked !== undefined && asked !== answered) {
    setAnswered(asked)
    if (answered !== undefined) setResult(null)
  }
  const latest = useRef(ask)
  latest.current = ask
  const clear = useRef(() => setParams({ connect: false }))
  useEffect(() => {
    if (!isNew) return
    clear.current()
    void latest.current()
  }, [isNew])
  const build = useRefusal('build')
  const manage = useRefusal('manage')
  const refusedToManage = useEntryRefusal('manage')
  useRenameKey(manage, () => server.data && setQuestion('change'))
  if (server.failure?.code === 'mcp_server_not_found') {
    return (
      <PageLayout title={words.gone} isBare crumbs={[{ label: toolWords.title, href: paths.tools() }]}>
        <GoneThing
          kind="mcp_server"
          id={mcpServerId}
          title={words.gone}
          detail={words.goneDetail}
          href={paths.tools()}
          label={words.toAll}
        />
      </PageLayout>
    )
  }
  return (
    <PageLayout
      title={server.data?.name ?? words.one}
      lead={server.data && <Avatar id={mcpServerId} name={server.data.name} shape="square" />}
      crumbs={[{ label: toolWords.title, href: paths.tools() }]}
      detail={server.data?.url}
      actions={
        server.data && (
          <>
            <RefusableButton
              emphasis="primary"
              refusal={build}
              icon={<RefreshCw size={14} />}
              isPending={connect.isPending}
              onPress={ask}
            >
              {words.connect}
            </RefusableButton>
            <RefusableButton refusal={manage} onPress={() => setQuestion('change')}>
              {toolWords.change}
            </RefusableButton>
            <ActionMenu
              label={toolWords.actions(server.data.name)}
              entries={[
                {
                  id: 'move',
                  label: moveWords.entry,
                  ...refusedToManage,
                  onAction: () => setQuestion('move'),
                },
                {
                  id: 'remove',
                  label: toolWords.remove,
                  isDanger: true,
                  ...refusedToManage,
                  onAction: () => setQuestion('remove'),
                },
              ]}
            />
          </>
        )
      }
    >
      <ConnectionState isPending={connect.isPending} failure={connect.failure} result={result} />
      <AskedPanel asked={server} failed={words.oneFailed} lines={8}>
        {(data) => (
          <>
            <ServerParts server={data} offered={result?.ok ? result.tools.map(({ name }) => name) : null} />
            {question === 'move' && (
              <MoveThing
                kind="mcp_server"
                id={data.mcpServerId}
                name={data.name}
                projectId={data.projectId}
                onClose={() => setQuestion(null)}
              />
            )}
            <LazyDialog>
              {question === 'change' && (
                <ServerDialog
                  server={data}
                  onClose={() => setQuestion(null)}
                  onAskAgain={server.retry}
                  onMoved={ask}
                />
              )}
              {question === 'remove' && (
                <DeleteServerDialog
                  server={data}
                  onClose={() => setQuestion(null)}
                  onRemoved={() => goTo(paths.tools(), { replace: true })}
                />
              )}
            </LazyDialog>
          </>
        )}
      </AskedPanel>
    </PageLayout>
  )
}

interface ServerPartsProps {
  server: McpServerDetails
  /** Its tools from a refresh on this page; null: none. */
  offered: readonly string[] | null
}

function ServerParts({ server, offered }: ServerPartsProps) {
  const { mcpServerId, slug, projectName, credential, usedBy, tools, updatedAt } = server
  const changed = tools.filter((tool) => tool.changed !== null)
  const toolsDetail = changed.length === 0 ? words.toolsDetail : words.toolsDetailChanged(changed.length)
  return (
    <>
      {changed.length > 0 && <ChangedTools mcpServerId={mcpServerId} tools={changed} />}
      <Section title={words.tools} detail={tools.length > 0 && toolsDetail}>
        {tools.length === 0 ? (
          <Card>
            <p className={styles.about}>{words.noTools}</p>
          </Card>
        ) : (
          <OfferedTools server={server} offered={offered} />
        )}
      </Section>
      <Section title={words.settings}>
        <Card>
          <Facts
            facts={[
              { name: toolWords.usedBy, value: <UserLinks users={usedBy} none={words.unused} /> },
              { name: words.credential, value: credential?.name ?? words.noCredential },
              { name: toolWords.project, value: projectName ?? toolWords.wholeOrganization },
              { name: toolWords.slug, value: <code translate="no">{slug}</code> },
              { name: toolWords.changed, value: <MomentText at={updatedAt} /> },
            ]}
          />
          <CopyField label={toolWords.id} text={mcpServerId} />
        </Card>
      </Section>
    </>
  )
}
