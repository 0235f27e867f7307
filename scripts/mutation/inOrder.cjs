// Test files in the order of their names: the first without a result is the one that hung.
const Sequencer = require('@jest/test-sequencer').default

module.exports = class InOrder extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => (a.path < b.path ? -1 : 1))
  }
}
