import type { SettingWords } from '../../core/forms/setting-words.ts'
import { idsIn, type ValueAt, withNames } from '../../core/labels/named-ids.ts'
import type { Asked } from './use-operation.ts'
import { useOperations } from './use-operations.ts'
import { useLlmConfigurations } from './use-whole-list.ts'

type WordsOf = (path: string) => SettingWords | undefined

/** The words of a form, with names in place of ids. A deleted resource keeps its id. */
export function useNamedWords(wordsOf: WordsOf, values: readonly ValueAt[]): WordsOf {
  const ids = idsIn(values)
  const found: readonly (readonly [
    readonly string[],
    readonly Asked<{ name: string } | { slug: string }>[],
  ])[] = [
    [
      ids.agent,
      useOperations(
        'getAgent',
        ids.agent.map((agentId) => ({ params: { agentId } })),
      ),
    ],
    [
      ids.workflow,
      useOperations(
        'getWorkflow',
        ids.workflow.map((workflowId) => ({ params: { workflowId } })),
      ),
    ],
    [
      ids.mcp_server,
      useOperations(
        'getMcpServer',
        ids.mcp_server.map((mcpServerId) => ({ params: { mcpServerId } })),
      ),
    ],
    [
      ids.credential,
      useOperations(
        'getCredential',
        ids.credential.map((credentialId) => ({ params: { credentialId } })),
      ),
    ],
    [
      ids.skill,
      useOperations(
        'getSkill',
        ids.skill.map((skillId) => ({ params: { skillId } })),
      ),
    ],
    [
      ids.knowledge_base,
      useOperations(
        'getKnowledgeBase',
        ids.knowledge_base.map((knowledgeBaseId) => ({ params: { knowledgeBaseId } })),
      ),
    ],
  ]
  const configurations = useLlmConfigurations({ isEnabled: ids.llm_configuration.length > 0 })
  const names = new Map<string, string>()
  for (const [own, asked] of found) {
    own.forEach((id, index) => {
      const thing = asked[index]?.data
      if (thing) names.set(id, 'name' in thing ? thing.name : thing.slug)
    })
  }
  for (const { llmConfigId, name } of configurations.data ?? []) names.set(llmConfigId, name)
  return withNames(wordsOf, names)
}
