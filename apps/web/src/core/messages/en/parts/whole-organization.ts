export const wholeOrganizationNote = 'This is of the whole organization, whichever project is chosen.'
