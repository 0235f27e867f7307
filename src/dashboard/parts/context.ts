import type { Context } from 'preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Dashboard } from '../model/Dashboard.js'
import type { Session } from '../model/Session.js'

/** The page's state; main.tsx provides it. */
export const DashboardContext: Context<Dashboard> = createContext<Dashboard>(null as unknown as Dashboard)

/** The page's state. */
export const useDashboard = (): Dashboard => useContext(DashboardContext)

/** The connection of the views, which are shown only while there is one. */
export const SessionContext: Context<Session> = createContext<Session>(null as unknown as Session)

/** The connection. */
export const useSession = (): Session => useContext(SessionContext)
