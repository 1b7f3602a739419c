import { GuardrailFields } from '../../../parts/guardrails/guardrail-fields.tsx'
import { AdvancedSection } from './advanced-section.tsx'
import type { EditorFormProps } from './agent-editor-props.ts'
import type { EditorSectionId } from './editor-sections.ts'
import {
  AgentLimits,
  AgentMemory,
  AnswerSection,
  KnowledgeSection,
  PrivacySection,
  SkillsSection,
} from './setting-sections.tsx'
import { ToolsSection } from './tools-section.tsx'

export interface SectionFieldsProps extends EditorFormProps {
  id: EditorSectionId
  onJson(): void
}

/** The fields of one section. */
export function SectionFields({ id, agent, draft, form, onJson }: SectionFieldsProps) {
  const { agentId, projectId } = agent
  const section = { form, agentId, projectId }
  switch (id) {
    case 'tools':
      return <ToolsSection {...section} />
    case 'knowledge':
      return <KnowledgeSection {...section} />
    case 'skills':
      return <SkillsSection {...section} />
    case 'memory':
      return <AgentMemory {...section} />
    case 'guardrails':
      return <GuardrailFields form={form} at="guardrails" projectId={projectId} />
    case 'answer':
      return <AnswerSection {...section} />
    case 'limits':
      return <AgentLimits {...section} />
    case 'privacy':
      return <PrivacySection {...section} />
    case 'advanced':
      return <AdvancedSection form={form} draft={draft} onJson={onJson} />
    default:
      return id satisfies never
  }
}
