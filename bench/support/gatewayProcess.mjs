// One process of a gateway. First message of the parent: { role, upstream, redis, prefix }; later ones: 'measure'.
import { createGateway, redisLog } from '../../dist/gateway.js'

let gateway
const measure = () => {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  return { rss: process.memoryUsage().rss, cpuMs: (user + system) / 1_000 }
}
process.on('message', async (message) => {
  if (message === 'measure') return void process.send(measure())
  const { role, upstream, redis, prefix } = message
  gateway = await createGateway({
    port: 0,
    role,
    heads: [{ path: '/', upstream }],
    limits: { connectionsPerIp: 100_000, connections: 100_000, fullClients: 100_000 },
    ...(redis === undefined ? {} : { log: redisLog({ url: redis, prefix }) })
  })
  process.send({ url: gateway.url })
})
process.on('disconnect', () => process.exit(0))
