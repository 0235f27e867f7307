/**
 * A gateway serves one or more heads to thousands of clients, over Socket.IO and HTTP, with one connection to each
 * head node. Its work has two halves, which may run in separate processes: the core holds the connections to the nodes
 * and appends each message to a log; an edge reads the log and serves clients. The process that holds the lease of a
 * head (an exclusive right for a limited time) is its core. For each submitted transaction a client receives one
 * verdict: confirmed, refused, or unknown after a time limit. For Node only.
 *
 * @see docs/guides/gateway.md
 * @see docs/guides/gateway-sizing.md
 * @packageDocumentation
 */
export { createGateway } from './createGateway.js'
export type { Gateway } from './createGateway.js'
export type { GatewayHead, GatewayOptions } from './options.js'
export type { Logger } from '../types/logger.js'
export type { GatewayAuth, GatewayScope } from './access/types.js'
export type { GatewayLimits } from './limits.js'
export { memoryLog } from './log/memoryLog.js'
export { redisLog } from './log/redisLog.js'
export type { RedisLogOptions } from './log/redisLog.js'
export type { AppendOptions, GatewayLease, GatewayLog, LoggedRecord, LogPart, LogRetention } from './log/GatewayLog.js'
