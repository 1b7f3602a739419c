import { isJsonObject } from '@troupe/contract'
import { Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import { CodeField } from '../../atoms/code/code-field.tsx'
import { CommandEnter } from '../../atoms/keys/command-enter.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { useSendingRefusal } from '../../atoms/states/sending-refusal.ts'
import { readJsonObject } from '../../core/forms/read-json-object.ts'
import { toolTestWords as words } from '../../core/messages/en/resources/tool-test.ts'
import { optionalArguments } from '../../core/tools/argument-names.ts'
import { sampleArguments } from '../../core/tools/sample-arguments.ts'
import { sampleContext } from '../../core/tools/sample-context.ts'
import { fieldFailure, formFailure } from '../../infrastructure/client/field-failure.ts'
import type { AnswerOf } from '../../infrastructure/client/operation-types.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { ToolTestAnswer } from './test-answer.tsx'
import { ToolChoice } from './tool-choice.tsx'
import { type ToolLabelOf, toolFailure } from './tool-failure.ts'
import styles from './tool-test.module.css'

type Tool = Readonly<Record<string, unknown>>

const TYPED = ['arguments', 'tool_context'] as const

export interface ToolTestProps {
  /** An item of `config.tools` of an agent, saved or not. */
  tool: Tool
  /** The tested tool, of a configuration with several; without it, the user selects it. */
  name?: string
  /** The schema of its arguments, if the configuration has none. */
  inputSchema?: Readonly<Record<string, unknown>> | null
  /** Absent: settings are labelled by their keys. */
  labelOf?: ToolLabelOf
}

/** Calls a tool once, with arguments and a tool context entered here. */
export function ToolTest({ tool, name: given, inputSchema, labelOf }: ToolTestProps) {
  const refusal = useRefusal('build')
  const offline = useSendingRefusal()
  const [name, setName] = useState<string | null>(given ?? null)
  const [args, setArgs] = useState(() => asText(sampleArguments(inputSchema ?? tool.input_schema)))
  const [context, setContext] = useState(() => asText(sampleContext(tool)))
  const [tried, setTried] = useState<{ answer: AnswerOf<'testTool'>; tool: Tool } | null>(null)
  const test = useChange('testTool')
  const readArgs = readJsonObject(args)
  const readContext = readJsonObject(context)
  const optional = useMemo(() => {
    const schema = inputSchema ?? tool.input_schema
    return isJsonObject(schema) ? optionalArguments(schema) : []
  }, [inputSchema, tool])
  const hasContext = useMemo(() => Object.keys(sampleContext(tool)).length > 0, [tool])
  const isMany = given === undefined && (tool.type === 'mcp' || tool.type === 'openapi')
  if (tool.type === 'agent' || tool.type === 'workflow') return <Callout>{words.notTestable}</Callout>
  const run = async () => {
    if (!readArgs.ok || !readContext.ok) return
    // A test requires no approval, so an incomplete one does not prevent it.
    const { approval: _, approval_notify: __, approval_timeout_s: ___, ...called } = tool
    const body = {
      tool: called,
      arguments: readArgs.value,
      ...(hasContext ? { tool_context: readContext.value } : {}),
      ...(name ? { name } : {}),
    }
    const done = await test.run({ body })
    if (done) setTried({ answer: done.answer, tool })
  }
  const runByKey = () => refusal === null && offline === null && !test.isPending && void run()
  return (
    <CommandEnter onEnter={runByKey}>
      <div className={styles.test}>
        {isMany && (
          <ToolChoice
            tool={tool}
            value={name}
            onChange={setName}
            labelOf={labelOf}
            error={fieldFailure(test.failure, 'name') && words.chooseOne}
          />
        )}
        <CodeField
          label={words.arguments}
          description={words.argumentsDetail(optional)}
          language="json"
          value={args}
          onChange={setArgs}
          minLines={4}
          maxLines={14}
          error={readArgs.ok ? fieldFailure(test.failure, 'arguments') : words[readArgs.problem]}
        />
        {hasContext && (
          <CodeField
            label={words.context}
            description={words.contextDetail}
            language="json"
            value={context}
            onChange={setContext}
            minLines={3}
            maxLines={10}
            error={readContext.ok ? fieldFailure(test.failure, 'tool_context') : words[readContext.problem]}
          />
        )}
        <div>
          <RefusableButton
            refusal={refusal}
            icon={<Play size={14} />}
            isPending={test.isPending}
            onPress={run}
          >
            {words.run}
          </RefusableButton>
        </div>
        <FailurePanel
          title={words.failed}
          failure={toolFailure(formFailure(test.failure, isMany ? ['name', ...TYPED] : TYPED), labelOf)}
        />
        {tried && test.failure === null && (
          <ToolTestAnswer
            answer={tried.answer}
            isFormer={JSON.stringify(tried.tool) !== JSON.stringify(tool)}
          />
        )}
      </div>
    </CommandEnter>
  )
}

function asText(value: object): string {
  return JSON.stringify(value, null, 2)
}
