export const wholeOrganizationNote = 'This page covers the whole organization, not only the chosen project.'
