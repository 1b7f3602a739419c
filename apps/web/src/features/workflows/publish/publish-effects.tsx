import type { PublishPreview } from '@troupe/contract/builder'
import { readGraph } from '@troupe/editor/document/read-graph'
import type { ReactNode } from 'react'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { zonedTime } from '../../../core/format/zoned-times.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import { publishWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { scheduleZone } from '../../../core/workflows/schedule-words.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './publish.module.css'

export interface PublishEffectsProps {
  preview: PublishPreview
  /** The graph of the preview. */
  draft: unknown
  /** Names of nodes by their ids, of both graphs. */
  names: ReadonlyMap<string, string>
  /** The draft is published already, so nothing changes. */
  isLive?: boolean
}

/** The effects of a publish on callers: payload, URLs, next fires, runs in flight. */
export function PublishEffects({ preview, draft, names, isLive = false }: PublishEffectsProps) {
  const { contract, callers, triggers, schedules, inFlight } = preview
  const form = {
    isLive: hasNode(preview.publishedGraph, 'form-trigger'),
    isDrafted: hasNode(draft, 'form-trigger'),
  }
  const mcp = mcpChange(preview.publishedGraph, draft)
  return (
    <Section title={isLive ? words.reached : words.effects}>
      <Card flush>
        <div className={styles.effects}>
          {contract.length > 0 && (
            <Effect title={words.contract}>
              <ul>
                {contract.map((change) => (
                  <li key={`${change.change} ${change.field}`}>
                    <FieldChange change={change} />
                  </li>
                ))}
              </ul>
            </Effect>
          )}
          {callers.length > 0 && (
            <Effect title={words.callers}>
              <Callers callers={callers} />
            </Effect>
          )}
          <Addresses
            triggers={triggers}
            form={form}
            hasWebhook={hasNode(draft, 'http-request')}
            isFirst={preview.publishedGraph === null}
            isLive={isLive}
          />
          {mcp && (
            <Effect title={words.mcp}>
              <p>{words.mcpChange[mcp]}</p>
            </Effect>
          )}
          {schedules.map(({ nodeId, before, after }) => (
            <Effect key={nodeId} title={`${words.schedules}: ${names.get(nodeId) ?? nodeId}`}>
              {same(before, after) ? (
                <Fires fires={after} zone={zoneIn(draft, nodeId)} />
              ) : (
                <div className={styles.fires}>
                  <div>
                    <b>{words.before}</b>
                    <Fires fires={before} zone={zoneIn(preview.publishedGraph, nodeId)} />
                  </div>
                  <div>
                    <b>{words.after}</b>
                    <Fires fires={after} zone={zoneIn(draft, nodeId)} />
                  </div>
                </div>
              )}
            </Effect>
          ))}
          <Effect title={words.runs}>
            {inFlight.length === 0 ? (
              <p>{words.noInFlight}</p>
            ) : (
              <ul>
                {inFlight.map(({ versionNumber, status, count }) => (
                  <li key={`${versionNumber} ${status}`}>
                    {words.inFlight(count, statusWord(status), versionNumber)}
                  </li>
                ))}
              </ul>
            )}
          </Effect>
        </div>
      </Card>
    </Section>
  )
}

function Effect({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.effect}>
      <h3>{title}</h3>
      <div>{children}</div>
    </div>
  )
}

/** Agents with the workflow as a tool, those that break first. */
function Callers({ callers }: Pick<PublishPreview, 'callers'>) {
  const { paths } = usePlace()
  const broken = callers.filter(({ breaks }) => breaks.length > 0)
  const whole = callers.filter(({ breaks }) => breaks.length === 0)
  return (
    <>
      {broken.map(({ agentId, name, breaks }) => (
        <div key={agentId}>
          <TextLink href={paths.agent(agentId)}>{name}</TextLink>
          <ul>
            {breaks.map(({ part, field, change, where, tool }) => (
              <li key={`${part} ${field} ${where} ${tool}`} className={styles.lacked}>
                {words.lostField[part][change](field)}
                {': '}
                {words.namedIn[where](tool ?? '')}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {whole.length > 0 && (
        <p>
          {broken.length > 0 && <>{words.calledBy} </>}
          {whole.map(({ agentId, name }, index) => (
            <span key={agentId}>
              {index > 0 && ', '}
              <TextLink href={paths.agent(agentId)}>{name}</TextLink>
            </span>
          ))}
        </p>
      )}
    </>
  )
}

function FieldChange({ change }: { change: PublishPreview['contract'][number] }) {
  const { field, change: kind, required, callsLacking } = change
  const sentence =
    kind === 'added' ? words.contractChange.added(field, required) : words.contractChange[kind](field)
  if (callsLacking === null) return sentence
  return (
    <>
      {sentence}
      {': '}
      {callsLacking === 0 ? words.noneLacked : <b className={styles.lacked}>{words.lacked(callsLacking)}</b>}
    </>
  )
}

function Addresses({ triggers, form, hasWebhook, isFirst, isLive }: AddressesProps) {
  const { webhookUrl, formUrl, unchanged } = triggers
  // Each URL then says that the publish creates it.
  const hasNone = isFirst && webhookUrl === null && formUrl === null
  const hasForm = form.isLive || form.isDrafted
  return (
    <>
      {!isLive && !hasNone && (
        <Effect title={words.addresses}>
          <p>{unchanged ? words.unchangedUrls : words.changedUrls}</p>
        </Effect>
      )}
      <Effect title={words.webhookUrl}>
        <Address label={words.webhookUrl} url={webhookUrl} />
        {!hasWebhook && <p className={styles.aside}>{words.webhookOfAll}</p>}
      </Effect>
      {hasForm && (
        <Effect title={words.formUrl}>
          {form.isDrafted ? (
            <Address label={words.formUrl} url={formUrl} isPage={form.isLive} />
          ) : (
            <p>{words.noLonger}</p>
          )}
        </Effect>
      )}
    </>
  )
}

interface AddressProps {
  label: string
  /** null: the publish creates it. */
  url: string | null
  /** Whether the address has a page. */
  isPage?: boolean
}

function Address({ label, url, isPage = false }: AddressProps) {
  if (url === null) return <p>{words.newAddress}</p>
  return <CopyField label={label} text={url} isLabelHidden isLink={isPage} />
}

interface AddressesProps extends Pick<PublishPreview, 'triggers'> {
  form: { isLive: boolean; isDrafted: boolean }
  /** Every workflow has the URL; without its own trigger, a call starts all others. */
  hasWebhook: boolean
  /** There is no published version yet. */
  isFirst: boolean
  isLive: boolean
}

function hasNode(graph: unknown, wanted: string): boolean {
  return readGraph(graph).nodes.some(({ type }) => type === wanted)
}

/** null: neither exposed before nor now. */
function mcpChange(published: unknown, draft: unknown): keyof typeof words.mcpChange | null {
  const [was, is] = [published, draft].map((graph) => readGraph(graph).expose === 'mcp')
  if (is) return was ? 'stays' : 'starts'
  return was ? 'ends' : null
}

/** `zone`: the time zone of the schedule. */
function Fires({ fires, zone }: { fires: readonly string[]; zone: string }) {
  if (fires.length === 0) return <p>{words.noFires}</p>
  return (
    <>
      <ul>
        {fires.map((at) => (
          <li key={at}>
            <time dateTime={at}>{zonedTime(at, zone)}</time>
          </li>
        ))}
      </ul>
      <p>{triggerWords.schedule.zone(zone)}</p>
    </>
  )
}

function zoneIn(graph: unknown, nodeId: string): string {
  return scheduleZone(readGraph(graph).nodes.find(({ id }) => id === nodeId)?.config ?? {})
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join()
}

function statusWord(status: string): string {
  const known: Readonly<Record<string, string>> = runWords.statuses
  return (known[status] ?? status).toLowerCase()
}
