import { codeBlocks } from '../support/markdown'

// examples.test.ts runs it.
it('the first program of the README pays in a head through the client, in at most 12 lines', () => {
  const [first] = codeBlocks('README.md').filter(({ language, flags }) => language === 'js' && flags === '')
  const lines = first!.code.split('\n').filter((line) => line.trim() !== '')
  expect(lines.length).toBeLessThanOrEqual(12)
  for (const used of ['createHeadClient', 'head.open()', 'head.deposit(', 'head.pay(', 'head.disconnect()'])
    expect(first!.code).toContain(used)
})
