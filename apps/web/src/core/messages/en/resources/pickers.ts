import { counted } from '../../../format/numbers.ts'

/** Texts of the pickers of resources that agents use. */
export const pickerWords = {
  gone: 'Deleted, or not visible here',
  remove: (name: string) => `Remove ${name}`,
  knowledge: {
    add: 'Add a knowledge base',
    failed: 'The knowledge bases could not be loaded',
    none: 'No knowledge base selected.',
    detail: (documents: number, chunks: number) =>
      `${counted(documents, 'document', 'documents')}, ${counted(chunks, 'passage', 'passages')}`,
    make: 'Manage knowledge bases',
  },
  skills: {
    add: 'Add a skill',
    failed: 'The skills could not be loaded',
    none: 'No skill selected.',
    version: (slug: string) => `Version of ${slug}`,
    newest: (version: number) => `Newest (${version})`,
    pinned: (version: number) => `Always ${version}`,
    make: 'Manage skills',
  },
  credentials: {
    none: 'None',
    failed: 'The credentials could not be loaded',
    hosts: (hosts: readonly string[]) => `For ${hosts.join(', ')}`,
    otherHost: (host: string) => `It is not sent to ${host}: add that host to the credential.`,
    make: 'Manage credentials',
  },
  servers: {
    label: 'MCP server',
    failed: 'The MCP servers could not be loaded',
    choose: 'Choose a server',
    make: 'Manage MCP servers',
    which: 'Tools',
    all: 'All tools',
    allDetail: 'Including tools that the server adds later.',
    some: 'Only these',
    someDetail: 'All other tools are excluded.',
    tools: 'Tools of the server',
    toolsFailed: 'The tools could not be loaded',
    noTools: 'The tool list has not been loaded yet.',
    changed: 'Changed: excluded until it is confirmed',
    unknown: 'The server does not offer it',
    refresh: 'Refresh tools',
    refreshed: (count: number) => `The server offers ${counted(count, 'tool', 'tools')}`,
    unavailable: 'The server cannot be used now',
  },
} as const
