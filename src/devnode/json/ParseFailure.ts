/** Error about an input that cannot be parsed; its message is the node's own text. */
export class ParseFailure extends Error {}
