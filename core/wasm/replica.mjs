// SPDX-License-Identifier: GPL-3.0-or-later
// Replicas in WebAssembly, for a browser's Worker or node: the loader of replica.wasm, whose functions README.md lists.
// What the module refuses is thrown as a Refusal, whose message is the sentence; the replica can be used on.

export class Refusal extends Error {}

// In the order of Part in replica.cpp.
const parts = {
  weights: Float32Array, gradients: Float32Array, firstSlot: Float32Array, secondSlot: Float32Array,
  statistics: Float32Array, pixels: Uint8Array, labels: Uint8Array, losses: Float32Array, predictions: Uint8Array,
  probabilities: Float32Array,
};
const optimizers = ["sgd", "adam"];

// `module`: a WebAssembly.Module, or its bytes.
export async function loadReplicas(module) {
  let memory;
  const refuse = (at, bytes) => {
    throw new Refusal(new TextDecoder().decode(new Uint8Array(memory.buffer, at >>> 0, bytes)));
  };
  if (!(module instanceof WebAssembly.Module)) module = await WebAssembly.compile(module);
  const {exports} = await WebAssembly.instantiate(module, {strategylab: {refuse}});
  memory = exports.memory;
  exports._initialize();

  // A refusal leaves the module's functions in the middle, so their stack is put back.
  const call = (name, ...values) => {
    const stack = exports.__stack_pointer.value;
    try {
      return exports[name](...values);
    } catch (error) {
      exports.__stack_pointer.value = stack;
      throw error;
    }
  };

  class Replica {
    #at;

    // `description`: networkText() of the network. Weights are 0, statistics as at the beginning of a run.
    constructor(description, {optimizer = "adam", momentum = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-7} = {}) {
      const text = new TextEncoder().encode(description);
      const to = call("description", text.length) >>> 0;
      new Uint8Array(memory.buffer, to, text.length).set(text);
      this.#at = call("create", optimizers.indexOf(optimizer), momentum, beta1, beta2, epsilon);
    }
    // The replica must not be used any more.
    destroy() { call("destroy", this.#at); }

    // The first weights of a run with this seed.
    initialize(seed) { call("initialize", this.#at, BigInt.asUintN(64, BigInt(seed))); }
    // Room for batches of up to so many examples; what `pixels` and `labels` held is lost where it grows.
    reserve(examples) { call("reserve", this.#at, examples); }
    // The module's memory itself: weights, gradients, firstSlot, secondSlot, statistics, pixels, labels, losses,
    // predictions or probabilities. A view holds until the memory grows, which any other call may make it do.
    view(name) {
      const part = Object.keys(parts).indexOf(name);
      return new parts[name](memory.buffer, call("pointer", this.#at, part) >>> 0, call("elements", this.#at, part));
    }
    // Losses, predictions and gradients of the first examples in `pixels` and `labels`.
    forwardBackward(examples, scale, {seed = 0, step = 0, globalOffset = 0} = {}) {
      call("forward_backward", this.#at, examples, scale, BigInt.asUintN(64, BigInt(seed)), BigInt(step),
        BigInt(globalOffset));
    }
    // Losses, predictions and probabilities alone, as in an evaluation.
    evaluate(examples) { call("evaluate", this.#at, examples); }
    // Update number `iteration`, from 1, of the weights with the gradients.
    update(learningRate, iteration) { call("update", this.#at, learningRate, BigInt(iteration)); }
    // Results of the last batch.
    get lossSum() { return call("loss_sum", this.#at); }
    get correct() { return call("correct", this.#at); }
  }
  return {Replica, memory};
}
