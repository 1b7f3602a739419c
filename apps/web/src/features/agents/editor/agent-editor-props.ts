import type { AgentDetails } from '@troupe/contract/builder'
import type { ConfigForm } from '../../../parts/config-form/config-form.ts'
import type { KeptConversations } from '../../../parts/playground/conversations/kept-conversations.ts'
import type { ConfigDraft } from '../../../parts/unsaved/use-config-draft.ts'

/** What the fields of an agent are shown with. */
export interface EditorFormProps {
  agent: AgentDetails
  draft: ConfigDraft
  form: ConfigForm
}

export interface AgentEditorProps extends EditorFormProps {
  /** Why the person may not change it; null: they may. */
  refusal: string | null
  /** The page's conversations; null while the tab of the playground shows them. */
  conversations: KeptConversations | null
}
