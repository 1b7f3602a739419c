import type { AgentId, IdText } from '@troupe/contract'
import type { AgentPrompt } from '@troupe/contract/builder'
import { useMemo, useState } from 'react'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { TextField } from '../../../atoms/controls/text-field.tsx'
import { Checkbox } from '../../../atoms/controls/toggles.tsx'
import { Badge, DraftMark, LiveMark } from '../../../atoms/states/badge.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import { LongText } from '../../../atoms/text/long-text.tsx'
import { isCallable } from '../../../core/agents/is-callable.ts'
import { compactNumber, percent, wholeNumber } from '../../../core/format/numbers.ts'
import { agentEditorWords } from '../../../core/messages/en/agents/agent-editor.ts'
import { promptWords as words } from '../../../core/messages/en/agents/agent-sections.ts'
import { useLlmConfigurations } from '../../../infrastructure/queries/use-whole-list.ts'
import {
  type LastConversation,
  useLastConversation,
} from '../../../parts/playground/conversations/use-last-conversation.ts'
import type { ConfigDraft } from '../../../parts/unsaved/use-config-draft.ts'
import { ContextBar } from './context-bar.tsx'
import styles from './prompt.module.css'
import {
  contextUse,
  historyLimit,
  type PromptShare,
  promptShares,
  requestTokens,
  settingOfPart,
} from './prompt-shares.ts'
import { useAgentPrompt } from './use-agent-prompt.ts'

export interface PromptPaneProps {
  agentId: IdText<AgentId>
  draft: ConfigDraft
  /** The reason why the user may not request it; null: allowed. */
  refusal: string | null
  /** Shows a setting, by its path below `config`. */
  onShow(path: string): void
}

/** The prompt for a message, each part with a link to its setting. */
export function PromptPane({ agentId, draft, refusal, onShow }: PromptPaneProps) {
  const [message, setMessage] = useState<string>(words.example)
  const isValid = draft.problems.length === 0
  const edit = draft.isDirty ? draft.draft : null
  const { last } = useLastConversation('agent', agentId, refusal === null)
  /** The selected conversation: somebody else may have a newer one by now. */
  const [chosen, setChosen] = useState<LastConversation | null>(null)
  const { prompt, failure, isAsking } = useAgentPrompt(
    agentId,
    {
      draft: edit,
      versionId: draft.saved.versionId,
      message,
      conversation: chosen,
    },
    refusal === null && isValid,
  )
  if (refusal !== null) return <Callout>{refusal}</Callout>
  return (
    <div className={styles.pane} aria-busy={isAsking}>
      <div className={styles.marks}>
        {draft.isDirty ? (
          <DraftMark>{words.draft}</DraftMark>
        ) : draft.saved.status === undefined || isCallable(draft.saved.status) ? (
          <LiveMark version={draft.saved.versionNumber} />
        ) : (
          <Badge>{agentEditorWords.version(draft.saved.versionNumber)}</Badge>
        )}
      </div>
      <TextField label={words.message} value={message} onChange={setMessage} maxLength={10_000} />
      {last !== null && (
        <Checkbox
          isSelected={chosen !== null}
          onChange={(next) => setChosen(next ? last : null)}
          description={`${(chosen ?? last).whose} ${words.goOnDetail}`}
        >
          {words.goOn}
        </Checkbox>
      )}
      {!isValid && <Callout tone="warn">{words.waiting}</Callout>}
      {isValid && <FailurePanel title={words.failed} failure={failure} />}
      {prompt ? (
        <PromptParts prompt={prompt} mostHistory={historyLimit(draft.draft.config)} onShow={onShow} />
      ) : (
        isAsking && <Skeleton lines={6} />
      )}
    </div>
  )
}

interface PromptPartsProps {
  prompt: AgentPrompt
  /** Max tokens of earlier messages; null: no limit, or no messages. */
  mostHistory: number | null
  onShow(path: string): void
}

function PromptParts({ prompt, mostHistory, onShow }: PromptPartsProps) {
  const shares = useMemo(() => promptShares(prompt), [prompt])
  const use = useMemo(() => contextUse(prompt), [prompt])
  const context = useContextLength(prompt.model)
  const tokens = wholeNumber(prompt.estimatedTokens)
  return (
    <>
      <p className={styles.total}>
        <code translate="no">{prompt.model.modelId}</code>
        <span>
          {context === null
            ? words.tokens(tokens)
            : words.ofContext(tokens, compactNumber(context), percent(prompt.estimatedTokens / context))}
        </span>
      </p>
      <ContextBar use={use} context={context} mostHistory={mostHistory} />
      {prompt.system === null && <p className={styles.none}>{words.empty}</p>}
      <ol className={styles.parts}>
        {shares.map((share, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the part
          <li key={index} className={styles.part} data-from={share.from}>
            <PartName share={share} onShow={onShow} />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <section className={styles.text} aria-label={partName(share, index)} tabIndex={0}>
              <LongText text={share.text} />
            </section>
          </li>
        ))}
      </ol>
      <PromptTools prompt={prompt} onShow={onShow} />
    </>
  )
}

/** The name of a part among all; several parts may come from one setting. */
const partName = ({ from }: PromptShare, index: number) => `${index + 1}. ${partLabel(from)}`

function PartName({ share, onShow }: { share: PromptShare; onShow(path: string): void }) {
  const label = partLabel(share.from)
  const setting = settingOfPart(share.from)
  return (
    <div className={styles.name}>
      {setting === null ? (
        <span>{label}</span>
      ) : (
        <BareButton className={styles.link} aria-label={words.go(label)} onPress={() => onShow(setting)}>
          {label}
        </BareButton>
      )}
      <span className={styles.count}>{wholeNumber(share.tokens)}</span>
    </div>
  )
}

/** The label of a prompt's part. */
function partLabel(from: string): string {
  const labels: Readonly<Record<string, string>> = words.parts
  return labels[from] ?? from
}

function PromptTools({ prompt, onShow }: { prompt: AgentPrompt; onShow(path: string): void }) {
  const { tools, toolChoice, responseSchema } = prompt
  const tokens = useMemo(() => requestTokens(prompt), [prompt])
  return (
    <>
      {tools.length > 0 && (
        <div className={styles.part}>
          <div className={styles.name}>
            <BareButton
              className={styles.link}
              aria-label={words.go(words.parts.tools)}
              onPress={() => onShow('tools')}
            >
              {words.parts.tools}
            </BareButton>
            {toolChoice && <span className={styles.choice}>{words.toolChoice(toolChoice)}</span>}
            <span className={styles.count}>{wholeNumber(tokens.tools)}</span>
          </div>
          <ul className={styles.tools}>
            {tools.map(({ name, description }) => (
              <li key={name}>
                <code translate="no">{name}</code> <span>{description}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {responseSchema && (
        <div className={styles.name}>
          <Badge tone="info">{words.parts.schema}</Badge>
          <span className={styles.count}>{wholeNumber(tokens.schema)}</span>
        </div>
      )}
      {tokens.frame > 0 && (
        <div className={styles.name}>
          <span>{words.parts.frame}</span>
          <span className={styles.count}>{wholeNumber(tokens.frame)}</span>
        </div>
      )}
    </>
  )
}

/** The model's context length in tokens; null: not configured. */
function useContextLength({ llmConfigId, modelId }: AgentPrompt['model']): number | null {
  const configurations = useLlmConfigurations()
  const one = configurations.data?.find((configuration) => configuration.llmConfigId === llmConfigId)
  return one?.models.find((model) => model.modelId === modelId)?.contextLength ?? null
}
