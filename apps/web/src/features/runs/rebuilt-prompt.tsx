import type { AgentRunDetail, ModelCallPreview, RunDetail } from '@troupe/contract/builder'
import { useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import { messagesBefore } from '../../core/runs/messages-before.ts'
import { previewOfCall } from '../../core/runs/preview-of-call.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'

type SeenPrompt = Pick<ModelCallPreview, 'system' | 'messages'>

/** Rebuilds a prompt; `prompt` null: the version makes no such call. Resolves with null after a failure. */
type Rebuild = (message: string) => Promise<{ prompt: SeenPrompt | null } | null>

/** The prompt followed by the run's stored messages: earlier answers of this call's agent with tool calls, and their results. */
function withStored(
  prompt: SeenPrompt,
  { agentRun }: RunDetail,
  call: AgentRunDetail['calls'][number],
): SeenPrompt {
  return agentRun ? { ...prompt, messages: [...prompt.messages, ...messagesBefore(agentRun, call)] } : prompt
}

/** The prompt of a call in an agent's run, rebuilt from the executed version. */
export function RebuiltAgentPrompt({ run, call }: { run: RunDetail; call: AgentRunDetail['calls'][number] }) {
  const version = useChange('getAgentVersion')
  const show = useChange('showAgentPrompt')
  const agentId = run.entity.id
  return (
    <RebuiltPrompt
      run={run}
      detail={runWords.promptDetail(run.versionNumber)}
      isPending={version.isPending || show.isPending}
      failure={version.failure ?? show.failure}
      rebuild={async (message) => {
        const found = await version.run({ params: { agentId, versionId: run.versionId } })
        if (!found) return null
        const { name, description, config } = found.answer
        const draft = { name, description, config }
        const done = await show.run({ params: { agentId }, body: { draft, message } })
        return done ? { prompt: withStored(done.answer, run, call) } : null
      }}
    />
  )
}

/** The prompt of one call in the run of a team, by its lead or a member. */
export function RebuiltTeamPrompt({ run, call }: { run: RunDetail; call: AgentRunDetail['calls'][number] }) {
  const version = useChange('getTeamVersion')
  const show = useChange('showTeamPrompts')
  const teamId = run.entity.id
  const isAlike = (one: typeof call) => one.memberRunId === null && one.purpose === call.purpose && one.ok
  return (
    <RebuiltPrompt
      run={run}
      detail={runWords.promptOfTeam(run.versionNumber)}
      isPending={version.isPending || show.isPending}
      failure={version.failure ?? show.failure}
      rebuild={async (message) => {
        const found = await version.run({ params: { teamId, versionId: run.versionId } })
        if (!found) return null
        const { name, description, config } = found.answer
        const draft = { name, description, config }
        const done = await show.run({ params: { teamId }, body: { draft, message } })
        if (!done) return null
        const calls = run.agentRun?.calls ?? []
        const place = calls.slice(0, calls.indexOf(call)).filter(isAlike).length
        const preview = previewOfCall(call, place, done.answer.calls)
        return { prompt: preview && call.memberRunId !== null ? withStored(preview, run, call) : preview }
      }}
    />
  )
}

interface RebuiltPromptProps {
  run: RunDetail
  /** Its sources, and its missing parts. */
  detail: string
  isPending: boolean
  failure: ReturnType<typeof useChange>['failure']
  rebuild: Rebuild
}

/** A prompt that is rebuilt on request, because that is expensive for the server. */
function RebuiltPrompt({ run, detail, isPending, failure, rebuild }: RebuiltPromptProps) {
  const refusal = useRefusal('build')
  const [rebuilt, setRebuilt] = useState<Awaited<ReturnType<Rebuild>>>(null)
  const message = run.agentRun?.input ?? null
  if (message === null) return null
  return (
    <Section title={runWords.prompt}>
      <FailurePanel title={runWords.promptFailed} failure={failure} />
      {rebuilt === null ? (
        <div>
          <RefusableButton
            refusal={refusal}
            isPending={isPending}
            onPress={() => void rebuild(message).then(setRebuilt)}
          >
            {runWords.promptShow}
          </RefusableButton>
        </div>
      ) : rebuilt.prompt === null ? (
        <Callout>{runWords.promptGone}</Callout>
      ) : (
        <PromptTexts prompt={rebuilt.prompt} detail={detail} />
      )}
    </Section>
  )
}

function PromptTexts({ prompt, detail }: { prompt: SeenPrompt; detail: string }) {
  return (
    <>
      <Callout tone="warn">{detail}</Callout>
      {prompt.system !== null && <CodeBlock label={runWords.system} text={prompt.system} isWrapped />}
      {prompt.messages.map(({ role, content, toolCalls }, index) => {
        const calls = (toolCalls ?? []).map((one) => `${one.name}(${JSON.stringify(one.arguments)})`)
        const text = [...(content === '' ? [] : [content]), ...calls].join('\n')
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one prompt never change
        return <CodeBlock key={index} label={runWords.roles[role]} text={text} isWrapped />
      })}
    </>
  )
}
