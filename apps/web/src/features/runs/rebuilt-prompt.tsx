import type { RunDetail } from '@troupe/builder-contract'
import { useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Section } from '../../atoms/layout/page.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'

/** The prompt of an agent's run, made again from the version that ran; on a press, because it is work for the server. */
export function RebuiltPrompt({ run }: { run: RunDetail }) {
  const refusal = useRefusal('build')
  const [prompt, setPrompt] = useState<AnswerOf<'showAgentPrompt'> | null>(null)
  const version = useChange('getAgentVersion')
  const show = useChange('showAgentPrompt')
  const message = run.agentRun?.input ?? null
  if (message === null) return null
  const agentId = run.entity.id
  const ask = async () => {
    const found = await version.run({ params: { agentId, versionId: run.versionId } })
    if (!found) return
    const { name, description, config } = found.answer
    const done = await show.run({
      params: { agentId },
      body: { draft: { name, description, config }, message },
    })
    if (done) setPrompt(done.answer)
  }
  return (
    <Section title={runWords.prompt}>
      <FailurePanel title={runWords.promptFailed} failure={version.failure ?? show.failure} />
      {prompt ? (
        <PromptTexts prompt={prompt} versionNumber={run.versionNumber} />
      ) : (
        <div>
          <RefusableButton
            refusal={refusal}
            isPending={version.isPending || show.isPending}
            onPress={() => void ask()}
          >
            {runWords.promptShow}
          </RefusableButton>
        </div>
      )}
    </Section>
  )
}

function PromptTexts({
  prompt,
  versionNumber,
}: {
  prompt: AnswerOf<'showAgentPrompt'>
  versionNumber: number | null
}) {
  return (
    <>
      <Callout tone="warn">{runWords.promptDetail(versionNumber)}</Callout>
      {prompt.system !== null && <CodeBlock label={runWords.system} text={prompt.system} isWrapped />}
      {prompt.messages.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one prompt never change
        <CodeBlock key={index} label={runWords.roles[role]} text={content} isWrapped />
      ))}
    </>
  )
}
