/** The process that is flooded reports each time it has received so many messages. */
export const FLOOD_STEP = 1_000
/** Messages that the sender may be ahead of it, fewer than its queue holds. */
export const FLOOD_AHEAD = 3_000
/** Messages of a megabyte that a hostile node sends before it waits for the client. */
export const HOSTILE_STEP = 2
