import { OPERATIONS } from '@troupe/contract'
import { forBuilder } from '../operation/for-builder.ts'

/** What agents use and keep, as in the public API. */
export const RESOURCES_FOR_BUILDER = {
  listKnowledgeBases: forBuilder(OPERATIONS.listKnowledgeBases, 'read'),
  createKnowledgeBase: forBuilder(OPERATIONS.createKnowledgeBase, 'build'),
  getKnowledgeBase: forBuilder(OPERATIONS.getKnowledgeBase, 'read'),
  updateKnowledgeBase: forBuilder(OPERATIONS.updateKnowledgeBase, 'build'),
  deleteKnowledgeBase: forBuilder(OPERATIONS.deleteKnowledgeBase, 'build'),
  listKnowledgeDocuments: forBuilder(OPERATIONS.listKnowledgeDocuments, 'read'),
  addKnowledgeDocument: forBuilder(OPERATIONS.addKnowledgeDocument, 'build'),
  getKnowledgeDocument: forBuilder(OPERATIONS.getKnowledgeDocument, 'read'),
  deleteKnowledgeDocument: forBuilder(OPERATIONS.deleteKnowledgeDocument, 'build'),
  searchKnowledgeBases: forBuilder(OPERATIONS.searchKnowledgeBases, 'build'),
  listSkills: forBuilder(OPERATIONS.listSkills, 'read'),
  getSkill: forBuilder(OPERATIONS.getSkill, 'read'),
  uploadSkill: forBuilder(OPERATIONS.uploadSkill, 'build'),
  deleteSkill: forBuilder(OPERATIONS.deleteSkill, 'build'),
  listMemories: forBuilder(OPERATIONS.listMemories, 'read'),
  deleteMemory: forBuilder(OPERATIONS.deleteMemory, 'build'),
  forgetUser: forBuilder(OPERATIONS.forgetUser, 'build'),
  testTool: forBuilder(OPERATIONS.testTool, 'build'),
} as const
