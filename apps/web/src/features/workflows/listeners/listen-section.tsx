import type { IdText, ListenerId } from '@troupe/contract'
import type { BuilderWorkflow, Listener } from '@troupe/contract/builder'
import type { GraphNode } from '@troupe/graph'
import { ExternalLink, Eye, Radio, Square } from 'lucide-react'
import { useRef, useState } from 'react'
import { CodeBlock } from '../../../atoms/code/code-field.tsx'
import { Segments } from '../../../atoms/controls/choices.tsx'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { RefusableButton } from '../../../atoms/overlays/refusable-button.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { listenerWords as words } from '../../../core/messages/en/workflows/listeners.ts'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { useRefreshOn } from '../../../infrastructure/events/use-changes.ts'
import { useChange, useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { ListenerCalls } from './listener-calls.tsx'
import styles from './listeners.module.css'
import { minutesAndSeconds, useCountdown } from './use-countdown.ts'

const LANGUAGES = ['curl', 'node', 'python'] as const

export interface ListenSectionProps {
  workflow: BuilderWorkflow
  /** An HTTP Request or a Form Trigger. */
  node: GraphNode
  /** Whether the title names the trigger: the section is outside its step. */
  isNamed?: boolean
}

/** A displayed secret, with its listener. It is only in the state of this part. */
interface Shown {
  listenerId: IdText<ListenerId>
  hasOwnSecret: boolean
  secret: string | null
  snippets: Listener['snippets']
}

/** The test address of a trigger. */
export function ListenSection({ workflow, node, isNamed = false }: ListenSectionProps) {
  const kind = node.type === 'form-trigger' ? 'form' : 'webhook'
  const { workflowId } = workflow
  const { may } = usePlace()
  const refusal = useRefusal('build')
  const asked = useOperation(
    'listListeners',
    { params: { workflowId } },
    { isEnabled: may('build'), isFresh: true },
  )
  useRefreshOn([`listeners:${workflowId}`], ['listListeners'])
  const found = asked.data?.data.find((one) => one.kind === kind) ?? null
  const left = useCountdown(found?.expiresAt ?? null)
  const listener = left > 0 ? found : null
  const [shown, setShown] = useState<Shown | null>(null)
  const start = useChange('startListener', { refreshes: ['listListeners'] })
  // The list has the new listener shortly before its secret is shown: no snippet is copied without it.
  const [isOpening, setOpening] = useState(false)
  const begin = async () => {
    setOpening(listener === null)
    const begun = await start.run({ params: { workflowId }, body: { kind } })
    if (begun && begun.answer.secret !== null) setShown(begun.answer)
    setOpening(false)
  }
  const expired = useExpired(found, listener)
  return (
    <Section title={isNamed ? words.titleOf(node.name) : words.title} detail={words.details[kind]}>
      <FailurePanel title={words.startFailed} failure={start.failure} />
      {may('build') && (
        <AskedPanel asked={asked} failed={words.failed} lines={1}>
          {() =>
            listener === null ? (
              <>
                <p role="status" className={styles.said}>
                  {expired === null ? '' : expiredWords(expired)}
                </p>
                {expired !== null && expired.calls.length > 0 && (
                  <ListenerCalls {...{ workflow, node }} listener={expired} />
                )}
              </>
            ) : (
              <OpenListener
                {...{ workflow, node, listener, left, shown, isOpening }}
                onShown={setShown}
                onLonger={() => void begin()}
                isPending={start.isPending}
              />
            )
          }
        </AskedPanel>
      )}
      {listener === null && (
        <div>
          <RefusableButton
            size="small"
            icon={<Radio size={14} />}
            refusal={refusal}
            isPending={start.isPending}
            onPress={() => void begin()}
          >
            {words.listen}
          </RefusableButton>
        </div>
      )}
    </Section>
  )
}

/** The listener of this page that ended by its time limit, and not by a stop of this page or of somebody else; null: none. */
function useExpired(found: Listener | null, open: Listener | null): Listener | null {
  const last = useRef<Listener | null>(null)
  if (found !== null) last.current = found
  const hasExpired = last.current !== null && Date.parse(last.current.expiresAt) <= serverNow() + 1_000
  return open === null && hasExpired ? last.current : null
}

const expiredWords = ({ calls }: Listener): string =>
  calls.length === 0 ? words.expired : `${words.expired} ${words.callsStay}`

interface OpenListenerProps extends ListenSectionProps {
  listener: Listener
  /** Seconds. */
  left: number
  shown: Shown | null
  /** It was just started by this page, which does not have its secret yet. */
  isOpening: boolean
  isPending: boolean
  onShown(shown: Shown): void
  onLonger(): void
}

function OpenListener(props: OpenListenerProps) {
  const { workflow, node, listener, left, isOpening, isPending, onShown, onLonger } = props
  const { workflowId } = workflow
  const { listenerId, kind, url, startedBy, hasOwnSecret, username, fault, snippets } = listener
  const { shown } = props
  // A secret belongs to its listener and its state at that time: a publish replaces it.
  const current = shown?.listenerId === listenerId && shown.hasOwnSecret === hasOwnSecret ? shown : null
  const params = { workflowId, listenerId }
  const stop = useChange('stopListener', { refreshes: ['listListeners'] })
  const reveal = useChange('revealListener')
  const show = async () => {
    const found = await reveal.run({ params })
    if (found) onShown(found.answer)
  }
  const isSecret = kind === 'webhook' || (username !== null && hasOwnSecret)
  return (
    <div className={styles.open}>
      <div className={styles.bar}>
        <span role="timer" className={styles.left}>
          {words.open(minutesAndSeconds(left))}
        </span>
        {startedBy !== null && <span className={styles.muted}>{words.by(startedBy)}</span>}
        <SendButton size="small" isPending={isPending} onPress={onLonger}>
          {words.longer}
        </SendButton>
        <SendButton
          size="small"
          icon={<Square size={14} />}
          isPending={stop.isPending}
          onPress={() => void stop.run({ params })}
        >
          {words.stop}
        </SendButton>
      </div>
      <FailurePanel title={words.stopFailed} failure={stop.failure} />
      <CopyField label={words.address} text={url} />
      {fault !== null && <Callout tone="warn">{fault}</Callout>}
      {kind === 'form' && fault === null && (
        <p className={styles.bar}>
          <TextLink href={url} isExternal>
            {words.openForm}
            <ExternalLink size={12} aria-hidden="true" />
          </TextLink>
        </p>
      )}
      {username !== null && <CopyField label={words.username} text={username} />}
      {username !== null && current?.secret && <CopyField label={words.password} text={current.secret} />}
      {username !== null && (
        <p className={styles.muted}>{hasOwnSecret ? words.ownPassword : words.publishedPassword}</p>
      )}
      {snippets !== null && !isOpening && (
        <Snippets
          snippets={current?.snippets ?? snippets}
          works={current !== null}
          hasOwnSecret={hasOwnSecret}
        />
      )}
      <FailurePanel title={words.secretFailed} failure={reveal.failure} />
      {isSecret && current === null && !isOpening && (
        <div>
          <SendButton size="small" icon={<Eye size={14} />} isPending={reveal.isPending} onPress={show}>
            {words.secret}
          </SendButton>
        </div>
      )}
      <ListenerCalls {...{ workflow, node, listener }} />
    </div>
  )
}

interface SnippetsProps {
  snippets: NonNullable<Listener['snippets']>
  works: boolean
  hasOwnSecret: boolean
}

function Snippets({ snippets, works, hasOwnSecret }: SnippetsProps) {
  const [language, setLanguage] = useState<(typeof LANGUAGES)[number]>('curl')
  const { webhook } = triggerWords
  return (
    <>
      <div className={styles.bar}>
        <Segments
          label={words.snippets}
          value={language}
          onChange={setLanguage}
          options={LANGUAGES.map((id) => ({ id, label: webhook.languages[id] }))}
        />
        <span className={styles.muted}>{works ? webhook.works : webhook.placeholder}</span>
      </div>
      <CodeBlock label={words.snippet} text={snippets[language]} />
      <p className={styles.muted}>{hasOwnSecret ? words.ownSecret : words.itsSecret}</p>
    </>
  )
}
