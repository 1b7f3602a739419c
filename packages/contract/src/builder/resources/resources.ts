import { OPERATIONS } from '../../operations.ts'
import { forBuilder } from '../operation/for-builder.ts'
import { listOfferedToolsForBuilder } from '../tools/list-offered-tools.ts'
import {
  getKnowledgeDocumentTextForBuilder,
  listKnowledgePassagesForBuilder,
  updateKnowledgeDocumentForBuilder,
} from './document-operations.ts'
import {
  getSkillFileForBuilder,
  listKnowledgeBasesForBuilder,
  listKnowledgeDocumentsForBuilder,
  listSkillsForBuilder,
  listSkillVersionsForBuilder,
  listUsersOfResources,
  rereadKnowledgeDocumentForBuilder,
  uploadSkillForBuilder,
} from './resource-operations.ts'

/** Resources of agents as in the public API, and further operations that only the builder has. */
export const RESOURCES_FOR_BUILDER = {
  listKnowledgeBases: listKnowledgeBasesForBuilder,
  createKnowledgeBase: forBuilder(OPERATIONS.createKnowledgeBase, 'build'),
  getKnowledgeBase: forBuilder(OPERATIONS.getKnowledgeBase, 'read'),
  updateKnowledgeBase: forBuilder(OPERATIONS.updateKnowledgeBase, 'build'),
  deleteKnowledgeBase: forBuilder(OPERATIONS.deleteKnowledgeBase, 'build'),
  listKnowledgeDocuments: listKnowledgeDocumentsForBuilder,
  addKnowledgeDocument: forBuilder(OPERATIONS.addKnowledgeDocument, 'build'),
  getKnowledgeDocument: forBuilder(OPERATIONS.getKnowledgeDocument, 'read'),
  getKnowledgeDocumentText: getKnowledgeDocumentTextForBuilder,
  listKnowledgePassages: listKnowledgePassagesForBuilder,
  updateKnowledgeDocument: updateKnowledgeDocumentForBuilder,
  rereadKnowledgeDocument: rereadKnowledgeDocumentForBuilder,
  deleteKnowledgeDocument: forBuilder(OPERATIONS.deleteKnowledgeDocument, 'build'),
  searchKnowledgeBases: forBuilder(OPERATIONS.searchKnowledgeBases, 'build'),
  listSkills: listSkillsForBuilder,
  getSkill: forBuilder(OPERATIONS.getSkill, 'read'),
  listSkillVersions: listSkillVersionsForBuilder,
  getSkillFile: getSkillFileForBuilder,
  uploadSkill: uploadSkillForBuilder,
  deleteSkill: forBuilder(OPERATIONS.deleteSkill, 'build'),
  listResourceUsers: listUsersOfResources,
  listMemories: forBuilder(OPERATIONS.listMemories, 'read'),
  deleteMemory: forBuilder(OPERATIONS.deleteMemory, 'build'),
  forgetUser: forBuilder(OPERATIONS.forgetUser, 'build'),
  testTool: forBuilder(OPERATIONS.testTool, 'build'),
  listOfferedTools: listOfferedToolsForBuilder,
} as const
