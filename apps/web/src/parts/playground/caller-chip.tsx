import { ChevronDown, UserRound } from 'lucide-react'
import { CodeField } from '../../atoms/code/code-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { TextField } from '../../atoms/controls/text-field.tsx'
import { PopoverPanel } from '../../atoms/overlays/popover-panel.tsx'
import { callerWords as words } from '../../core/messages/en/parts/playground.ts'
import { toolTestWords } from '../../core/messages/en/resources/tool-test.ts'
import styles from './playground.module.css'
import type { CallerFields } from './use-caller-fields.ts'

const LONGEST_USER_ID = 255

export interface CallerChipProps {
  caller: CallerFields
  isDisabled: boolean
  /** A conversation in progress continues with its first user. */
  hasConversation: boolean
}

/** The caller, beside the message: the user named in a caller's request, and the values that tools read. */
export function CallerChip({ caller, isDisabled, hasConversation }: CallerChipProps) {
  const { context, read, userId } = caller
  const text = read.ok ? callerText(caller, hasConversation) : words.broken
  return (
    <PopoverPanel
      label={words.title}
      placement="top start"
      trigger={(button) => (
        <Button
          {...button}
          size="small"
          emphasis={read.ok ? 'quiet' : 'danger'}
          icon={<UserRound size={14} />}
          aria-label={`${words.title}: ${text}`}
        >
          <span className={styles.callerText}>{text}</span>
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      )}
    >
      <TextField
        label={words.user}
        description={hasConversation ? words.userFixed : words.userDetail}
        value={userId}
        onChange={caller.onUserId}
        maxLength={LONGEST_USER_ID}
        isReadOnly={isDisabled || hasConversation}
        isMono
      />
      {context !== null && (
        <CodeField
          label={toolTestWords.context}
          description={words.contextDetail}
          language="json"
          value={context}
          onChange={caller.onContext}
          isReadOnly={isDisabled}
          minLines={3}
          maxLines={10}
          error={read.ok ? null : toolTestWords[read.problem]}
        />
      )}
    </PopoverPanel>
  )
}

function callerText({ body }: CallerFields, hasConversation: boolean): string {
  const parts = [
    ...(body.user_id === undefined ? [] : [words.forUser(body.user_id)]),
    ...(body.tool_context === undefined ? [] : [words.keys(Object.keys(body.tool_context).length)]),
  ]
  return parts.length > 0 ? parts.join(' · ') : hasConversation ? words.same : words.none
}
