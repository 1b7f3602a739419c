import { type MemberRole, roleHas } from '@troupe/contract'
import { html, type Markup } from '@troupe/html'
import { organizationPath } from '../paths/builder-paths.ts'
import { mark } from '../rendering/mark.ts'

/** An organization of a person, and their role in it. */
export interface PersonsOrganization {
  name: string
  slug: string
  role: MemberRole
}

interface NavigationEntry {
  label: string
  /** Below the organization. */
  path: string
  /** The shapes of the icon that the builder has for it, from lucide (ISC), 24 by 24. */
  icon: Markup
}

const VOICE = 'Voice & phone'

/** The navigation of the builder for members who read everything and a server with a media server, in its groups and order. */
export const BUILDER_NAVIGATION: readonly { title: string | null; entries: readonly NavigationEntry[] }[] = [
  {
    title: null,
    entries: [
      {
        label: 'Home',
        path: '',
        icon: html`<path d="M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8"/><path d="M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z"/>`,
      },
      {
        label: 'Reviews',
        path: '/reviews',
        icon: html`<polyline points="22 12 16 12 14 15 10 15 8 12 2 12"/><path d="M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11z"/>`,
      },
    ],
  },
  {
    title: 'Build',
    entries: [
      {
        label: 'Agents',
        path: '/agents',
        icon: html`<path d="M12 8V4H8"/><rect width="16" height="12" x="4" y="8" rx="2"/><path d="M2 14h2"/><path d="M20 14h2"/><path d="M15 13v2"/><path d="M9 13v2"/>`,
      },
      {
        label: 'Teams',
        path: '/teams',
        icon: html`<path d="M18 21a8 8 0 0 0-16 0"/><circle cx="10" cy="8" r="5"/><path d="M22 20c0-3.37-2-6.5-4-8a5 5 0 0 0-.45-8.3"/>`,
      },
      {
        label: 'Workflows',
        path: '/workflows',
        icon: html`<rect width="8" height="8" x="3" y="3" rx="2"/><path d="M7 11v4a2 2 0 0 0 2 2h4"/><rect width="8" height="8" x="13" y="13" rx="2"/>`,
      },
      {
        label: 'Knowledge',
        path: '/knowledge',
        icon: html`<path d="M12 5v16"/><path d="M20.001 19A2 2 0 0022 17V5a2 2 0 00-1.999-2L16 3.002A5 5 0 0012 5a5 5 0 00-4-2H4a2 2 0 00-2 2v12a2 2 0 001.999 2H8a5 5 0 014 2 5 5 0 014-2z"/>`,
      },
      {
        label: 'Skills',
        path: '/skills',
        icon: html`<path d="M21.42 10.922a1 1 0 0 0-.019-1.838L12.83 5.18a2 2 0 0 0-1.66 0L2.6 9.08a1 1 0 0 0 0 1.832l8.57 3.908a2 2 0 0 0 1.66 0z"/><path d="M22 10v6"/><path d="M6 12.5V16a6 3 0 0 0 12 0v-3.5"/>`,
      },
      {
        label: 'Tools',
        path: '/tools',
        icon: html`<path d="M14.7 6.3a1 1 0 0 0 0 1.4l1.6 1.6a1 1 0 0 0 1.4 0l3.106-3.105c.32-.322.863-.22.983.218a6 6 0 0 1-8.259 7.057l-7.91 7.91a1 1 0 0 1-2.999-3l7.91-7.91a6 6 0 0 1 7.057-8.259c.438.12.54.662.219.984z"/>`,
      },
    ],
  },
  {
    title: VOICE,
    entries: [
      {
        label: 'Voice',
        path: '/voice',
        icon: html`<path d="M2 10v3"/><path d="M6 6v11"/><path d="M10 3v18"/><path d="M14 8v7"/><path d="M18 5v13"/><path d="M22 10v3"/>`,
      },
      {
        label: 'Phone',
        path: '/phone',
        icon: html`<path d="M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384"/>`,
      },
    ],
  },
  {
    title: 'Operate',
    entries: [
      {
        label: 'Runs',
        path: '/runs',
        icon: html`<path d="M22 12h-2.48a2 2 0 0 0-1.93 1.46l-2.35 8.36a.25.25 0 0 1-.48 0L9.24 2.18a.25.25 0 0 0-.48 0l-2.35 8.36A2 2 0 0 1 4.49 12H2"/>`,
      },
      {
        label: 'Usage',
        path: '/usage',
        icon: html`<path d="M3 3v16a2 2 0 0 0 2 2h16"/><path d="M18 17V9"/><path d="M13 17V5"/><path d="M8 17v-3"/>`,
      },
      {
        label: 'Settings',
        path: '/settings/organization',
        icon: html`<path d="M9.671 4.136a2.34 2.34 0 0 1 4.659 0 2.34 2.34 0 0 0 3.319 1.915 2.34 2.34 0 0 1 2.33 4.033 2.34 2.34 0 0 0 0 3.831 2.34 2.34 0 0 1-2.33 4.033 2.34 2.34 0 0 0-3.319 1.915 2.34 2.34 0 0 1-4.659 0 2.34 2.34 0 0 0-3.32-1.915 2.34 2.34 0 0 1-2.33-4.033 2.34 2.34 0 0 0 0-3.831A2.34 2.34 0 0 1 6.35 6.051a2.34 2.34 0 0 0 3.319-1.915"/><circle cx="12" cy="12" r="3"/>`,
      },
    ],
  },
]

/**
 * The navigation of the builder beside a page of the server. A reviewer sees reviews only.
 *
 * @param hasVoice a media server is connected
 */
export function builderNavigation({ name, slug, role }: PersonsOrganization, hasVoice: boolean): Markup {
  const groups = roleHas(role, 'read')
    ? BUILDER_NAVIGATION.filter(({ title }) => hasVoice || title !== VOICE)
    : BUILDER_NAVIGATION.slice(0, 1).map((group) => ({
        ...group,
        entries: group.entries.filter(({ path }) => path === '/reviews'),
      }))
  return html`<a class="place" href="${organizationPath(slug)}">${mark(20)}<span>${name}</span></a>
${groups.map(
  ({ title, entries }) =>
    html`${title === null ? null : html`<p>${title}</p>`}<ul>${entries.map(
      ({ label, path, icon }) =>
        html`<li><a class="go" href="${organizationPath(slug)}${path}"><svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true">${icon}</svg>${label}</a></li>`,
    )}</ul>`,
)}`
}
