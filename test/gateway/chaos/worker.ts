import { createGateway, redisLog } from '../../../src/gateway/index.js'

/** What the test wants of this process. */
interface Wanted {
  readonly role: 'core' | 'edge'
  readonly port: number
  readonly redis: string
  readonly upstream: string
}

process.once('message', (message) => {
  const { role, port, redis, upstream } = message as Wanted
  createGateway({
    port,
    role,
    readyTimeout: 0,
    heads: [{ path: '/', upstream }],
    log: redisLog({ url: redis, prefix: 'chaos' })
  }).then(
    ({ url }) => process.send?.({ url }),
    (error: unknown) => process.send?.({ failed: String(error) })
  )
})
// The test is gone.
process.on('disconnect', () => process.exit())
