/** Titles of the pages of the settings, in a separate file, because the palette is in the first load. */
export const settingsTitles = {
  title: 'Settings',
  groups: {
    organization: 'General',
    developers: 'Developers',
    spend: 'Models and spend',
    records: 'Records',
  },
  pages: {
    organization: 'Organization',
    projects: 'Projects',
    members: 'Members',
    keys: 'API keys',
    api: 'API',
    models: 'Models',
    budgets: 'Budgets',
    audit: 'Audit log',
    bundle: 'Bundle',
    uploads: 'Uploads',
  },
} as const
