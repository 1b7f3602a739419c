import type { AgentDetails } from '@troupe/contract/builder'
import type { ConfigForm } from '../../../parts/config-form/config-form.ts'
import type { KeptConversations } from '../../../parts/playground/conversations/kept-conversations.ts'
import type { ConfigDraft } from '../../../parts/unsaved/use-config-draft.ts'

/** Props of an agent's fields. */
export interface EditorFormProps {
  agent: AgentDetails
  draft: ConfigDraft
  form: ConfigForm
}

export interface AgentEditorProps extends EditorFormProps {
  /** The reason why the user may not change it; null: allowed. */
  refusal: string | null
  /** The page's conversations; null while the tab of the playground shows them. */
  conversations: KeptConversations | null
}
