import '@troupe/html/tokens.css'
import '../atoms/styles/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LinkNavigation } from '../atoms/controls/link-navigation.tsx'
import { followTheme } from '../infrastructure/preferences/preferences.ts'
import { createQueryClient } from '../infrastructure/queries/query-client.ts'
import { followTranslation } from '../infrastructure/text/follow-translation.ts'
import { markHiddenCharacters } from '../infrastructure/text/mark-hidden-characters.ts'
import { router } from './router.tsx'

followTheme()
followTranslation(document.documentElement)
markHiddenCharacters(document.documentElement)

const place = document.getElementById('app')
if (!place) throw new Error('The page has no place for the app.')
const cache = createQueryClient()

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <LinkNavigation goTo={(href) => router.history.push(href)}>
        <RouterProvider router={router} />
      </LinkNavigation>
    </QueryClientProvider>
  </StrictMode>,
)
