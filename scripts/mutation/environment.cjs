// The environment of one test file with one mutant on: counts what was reached, and skips what is left once a test has failed.
const { appendFileSync } = require('node:fs')
const { TestEnvironment } = require('jest-environment-node')

module.exports = class MutationEnvironment extends TestEnvironment {
  #reached = new Set()
  #failed = false
  #finished = false
  #file
  #started = Date.now()

  constructor(config, context) {
    super(config, context)
    this.#file = context.testPath
  }

  async setup() {
    await super.setup()
    this.global.__mutant = (id) => {
      this.#reached.add(id)
      return id === this.global.__active
    }
  }

  handleTestEvent(event) {
    if (event.name === 'test_start' && this.#failed) event.test.mode = 'skip'
    if (event.name === 'test_done' && event.test.errors.length > 0) this.#failed = true
    if (event.name === 'hook_failure' || event.name === 'error') this.#failed = true
    if (event.name === 'run_finish') this.#finished = true
  }

  async teardown() {
    // A file that cannot even be loaded never gets to its end.
    const failed = this.#failed || !this.#finished
    const result = {
      file: this.#file,
      failed,
      ms: Date.now() - this.#started,
      reached: failed ? [] : [...this.#reached]
    }
    appendFileSync(process.env.MUTATION_RESULTS, `${JSON.stringify(result)}\n`)
    await super.teardown()
  }
}
