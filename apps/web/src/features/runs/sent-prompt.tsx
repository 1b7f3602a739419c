import type { IdText, PromptId, RunId } from '@troupe/contract'
import { useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { Facts, Section } from '../../atoms/layout/page.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'

/** The prompt of a model call, as stored by its run. */
export function SentPrompt({ runId, promptId }: { runId: IdText<RunId>; promptId: IdText<PromptId> }) {
  const [isOpen, setOpen] = useState(false)
  const asked = useOperation(
    'getRunPrompt',
    { params: { runId, promptId } },
    { isEnabled: isOpen, isFinal: true },
  )
  const prompt = asked.data
  return (
    <Section title={runWords.prompt}>
      <FailurePanel title={runWords.sentFailed} failure={asked.failure} />
      {prompt === undefined ? (
        <div>
          <Button isPending={isOpen && asked.isLoading} onPress={() => setOpen(true)}>
            {runWords.sentShow}
          </Button>
        </div>
      ) : (
        <>
          {prompt.messages.map(({ role, content, toolCalls = [] }, index) => {
            const calls = toolCalls.map((one) => `${one.name}(${one.arguments})`)
            const text = [...(content === '' ? [] : [content]), ...calls].join('\n')
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one prompt never change
            return <CodeBlock key={index} label={runWords.sentRoles[role]} text={text} isWrapped />
          })}
          {prompt.leftOut > 0 && <Callout tone="warn">{runWords.sentLeftOut(prompt.leftOut)}</Callout>}
          {prompt.tools.length > 0 && (
            <Facts facts={[{ name: runWords.sentTools, value: prompt.tools.join(', ') }]} />
          )}
        </>
      )}
    </Section>
  )
}
