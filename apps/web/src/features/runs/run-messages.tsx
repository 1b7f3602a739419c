import type { AgentRunDetail } from '@troupe/contract/builder'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Badge, Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { LongText } from '../../atoms/text/long-text.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import styles from './runs.module.css'

type Message = AgentRunDetail['messages'][number]

/** The messages of a run, with its members and their tools. */
export function RunMessages({ run: { messages, storesMessages } }: { run: AgentRunDetail }) {
  if (messages.length === 0) return <p>{storesMessages ? runWords.noMessages : runWords.notKept}</p>
  return (
    <>
      <Callout>{runWords.messagesDetail}</Callout>
      <ol className={styles.messages}>
        {messages.map((message) => (
          <li key={message.id} className={styles.message} data-role={message.role}>
            <MessageParts message={message} />
          </li>
        ))}
      </ol>
    </>
  )
}

function MessageParts({ message }: { message: Message }) {
  const { role, content, toolCalls, toolName, isError, agentName, createdAt } = message
  return (
    <>
      <div className={styles.head}>
        <strong>{agentName ?? runWords.roles[role]}</strong>
        {role === 'tool' && <ToolBadge name={toolName ?? ''} isFailed={isError === true} />}
        <span className={styles.end}>
          <MomentText at={createdAt} />
        </span>
      </div>
      {content !== null && content !== '' && <MessageText role={role} text={content} />}
      {(toolCalls ?? []).map(({ toolCallId, name, arguments: given, status }) => (
        <div key={toolCallId} className={styles.toolCall}>
          <ToolBadge name={name} isFailed={status !== 'ok'} />
          <CodeBlock label={runWords.arguments} text={JSON.stringify(given ?? null, null, 2)} />
        </div>
      ))}
    </>
  )
}

/** A failure is shown in words, not by colour alone. */
function ToolBadge({ name, isFailed }: { name: string; isFailed: boolean }) {
  if (!isFailed) return <Badge>{name}</Badge>
  return (
    <Status state="failed" look="badge">
      {runWords.toolFailed(name)}
    </Status>
  )
}

function MessageText({ role, text }: { role: Message['role']; text: string }) {
  if (role === 'assistant') return <Markdown text={text} />
  return (
    <p className={styles.text}>
      <LongText text={text} />
    </p>
  )
}
