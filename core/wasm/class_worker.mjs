// SPDX-License-Identifier: GPL-3.0-or-later
// A worker of a class for a browser's Worker and for node: the frames of core/protocol/frames.h over a WebSocket, and
// gradients by replica.mjs. What the server says is trusted no more than the lengths of its frames.
import {loadReplicas, Refusal} from "./replica.mjs";

// In the order of Frame's kinds.
const kinds = {
  hello: 0, pull: 1, push: 2, asleep: 3, leave: 4, welcome: 5, pictures: 6, closure: 7, variables: 8, applied: 9,
  refused: 10, pause: 11, progress: 12, end: 13, dropped: 14, chunk: 15,
  shortChunk: 16,
};
const protocol = 5;
const floatsPerChunk = 15 * 1024, shortsPerChunk = 2 * floatsPerChunk;
// How weights and gradients are sent, in the order of Wire.
const wires = ["float32", "bfloat16"];
// The reasons in a `dropped` frame, in the order of Reason.
export const reasons = [
  "wrong-token", "other-version", "class-full", "bad-frame", "not-finite", "norm-too-large", "too-much", "removed",
  "silent", "given-to-another", "false-gradient", "left-out", "too-slow",
];

// The upper halves of the values' bits, rounded to nearest, ties to even, as Backend::roundToBfloat16 does; the values
// become what they say.
export function toBfloat16(values) {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length), upper = new Uint16Array(values.length);
  for (let i = 0; i < bits.length; ++i) {
    const isNan = (bits[i] & 0x7fffffff) > 0x7f800000;
    upper[i] = (isNan ? bits[i] | 0x00400000 : bits[i] + 0x7fff + ((bits[i] >>> 16) & 1)) >>> 16;
    bits[i] = upper[i] << 16;
  }
  return upper;
}

export function fromBfloat16(upper) {
  return new Float32Array(Uint32Array.from(upper, (half) => half << 16).buffer);
}

class Reader {
  #view;
  #at = 1;
  constructor(buffer) { this.#view = new DataView(buffer); }
  #take(bytes) {
    const at = this.#at;
    this.#at += bytes;
    return at;
  }
  u8() { return this.#view.getUint8(this.#take(1)); }
  u16() { return this.#view.getUint16(this.#take(2), true); }
  u32() { return this.#view.getUint32(this.#take(4), true); }
  u64() { return this.#view.getBigUint64(this.#take(8), true); }
  f32() { return this.#view.getFloat32(this.#take(4), true); }
  f64() { return this.#view.getFloat64(this.#take(8), true); }
  bytes(count) { return new Uint8Array(this.#view.buffer.slice(this.#at, this.#take(count) + count)); }
  text() { return new TextDecoder().decode(this.bytes(this.u16())); }
  u32s(count) { return new Uint32Array(this.bytes(4 * count).buffer); }
  f32s(count) { return new Float32Array(this.bytes(4 * count).buffer); }
  bf16s(count) { return fromBfloat16(new Uint16Array(this.bytes(2 * count).buffer)); }
}

class Writer {
  #bytes;
  #view;
  #at = 1;
  constructor(kind, bytes) {
    this.#bytes = new Uint8Array(1 + bytes);
    this.#view = new DataView(this.#bytes.buffer);
    this.#bytes[0] = kind;
  }
  #take(bytes) {
    const at = this.#at;
    this.#at += bytes;
    return at;
  }
  u8(value) { this.#view.setUint8(this.#take(1), value); return this; }
  u16(value) { this.#view.setUint16(this.#take(2), value, true); return this; }
  u32(value) { this.#view.setUint32(this.#take(4), value, true); return this; }
  u64(value) { this.#view.setBigUint64(this.#take(8), value, true); return this; }
  f64(value) { this.#view.setFloat64(this.#take(8), value, true); return this; }
  bytes(values) { this.#bytes.set(values, this.#take(values.length)); return this; }
  done() { return this.#bytes; }
}

// "http://host:port/#token", or https: where the WebSocket is, and the token's bytes. Nothing for what is no link.
export function parseLink(link) {
  const match = /^http(s?):\/\/([^/#]+)\/#([0-9a-f]{32})$/.exec(link);
  if (!match) return null;
  return {socket: `ws${match[1]}://${match[2]}/class`, token: Uint8Array.from(match[3].match(/../g), (pair) => parseInt(pair, 16))};
}

// Works until the class is over: resolves to {over: true}, or {reason} where it was sent away or cannot compute;
// rejects where the connection breaks. `tell` gets what happens: "welcome", "computed", "applied", "refused", "pause",
// "progress", with an object each. What "computed" shows of the replica's memory holds until it returns.
export async function work(link, module, {name = "", tell = () => {}} = {}) {
  const where = parseLink(link);
  if (!where) throw new Error("this is no link to a class");
  const {Replica} = await loadReplicas(module);
  const socket = new WebSocket(where.socket);
  socket.binaryType = "arraybuffer";
  const worker = new ClassWorker(socket, Replica, where.token, name, tell);
  return worker.result;
}

export class ClassWorker {
  #socket; #Replica; #tell; #replica; #welcome; #closure; #expected; #version; #resolve; #reject;
  #examples = new Map();  // index to [pixels, label]

  constructor(socket, Replica, token, name, tell) {
    this.#socket = socket;
    this.#Replica = Replica;
    this.#tell = tell;
    this.result = new Promise((resolve, reject) => { [this.#resolve, this.#reject] = [resolve, reject]; });
    const shown = new TextEncoder().encode(name).slice(0, 32), path = new TextEncoder().encode("baseline");
    socket.onopen = () => socket.send(new Writer(kinds.hello, 22 + path.length + shown.length)
      .u16(protocol).bytes(token).u16(path.length).bytes(path).u16(shown.length).bytes(shown).done());
    socket.onmessage = ({data}) => {
      try {
        this.#take(new Uint8Array(data)[0], new Reader(data));
      } catch (error) {
        // Mostly for want of memory, which the next try would not have either.
        const isOurs = error instanceof Refusal || error instanceof WebAssembly.RuntimeError;
        if (isOurs) return this.#end({reason: "cannot-compute"});
        this.#reject(error);
        socket.close();
      }
    };
    socket.onclose = () => this.#reject(new Error("the connection to the class is broken"));
  }

  // Tells the class whether this tab is in the background. Allowed from "welcome" on.
  asleep(isAsleep) { this.#socket.send(new Writer(kinds.asleep, 1).u8(isAsleep ? 1 : 0).done()); }
  leave() { this.#socket.send(new Writer(kinds.leave, 0).done()); }

  #take(kind, frame) {
    switch (kind) {
      case kinds.welcome: return this.#begin(frame);
      case kinds.pictures: return this.#keep(frame);
      case kinds.closure:
        this.#closure = {number: frame.u64(), step: frame.u64(), offset: frame.u64(), scale: frame.f32()};
        this.#closure.examples = frame.u32s(frame.u16());
        return;
      case kinds.variables:
        this.#expected = {closure: frame.u64(), version: frame.u64(), values: new Float32Array(frame.u32()), at: 0};
        return;
      case kinds.chunk: return this.#add(frame.u32(), frame.f32s(frame.u16()));
      case kinds.shortChunk: return this.#add(frame.u32(), frame.bf16s(frame.u16()));
      case kinds.applied:
        return this.#tell("applied", {closure: frame.u64(), version: frame.u64(), staleness: frame.u32(), loss: frame.f64()});
      case kinds.refused: {
        const closure = frame.u64();
        if (this.#closure?.number === closure) this.#closure = null;
        return this.#tell("refused", {closure, reason: reasons[frame.u8()]});
      }
      case kinds.pause: return this.#tell("pause", {paused: frame.u8() === 1});
      case kinds.progress:
        return this.#tell("progress", {updates: frame.u64(), workers: frame.u16(), loss: frame.f64()});
      case kinds.end: return this.#end({over: true});
      case kinds.dropped: return this.#end({reason: reasons[frame.u8()]});
      default: throw new Error("the server's reply is not that of a class");
    }
  }

  #end(how) {
    this.#resolve(how);
    this.#socket.close();
  }

  #begin(frame) {
    const welcome = this.#welcome = {
      worker: frame.u16(), name: frame.text(), strategy: frame.text(), network: frame.text(), seed: frame.u64(),
      steps: frame.u64(), mostExamples: frame.u32(), digits: frame.u8() === 1, weights: frame.u32(),
      statistics: frame.u32(), wire: wires[frame.u8()],
    };
    this.#replica = new this.#Replica(welcome.network);
    this.#replica.reserve(welcome.mostExamples);
    if (this.#replica.view("weights").length !== welcome.weights) throw new Error("the network is of another size");
    this.#tell("welcome", welcome);
    this.#pull();
  }

  #pull() { this.#socket.send(new Writer(kinds.pull, 0).done()); }

  #keep(frame) {
    const size = frame.u32(), indices = frame.u32s(frame.u16());
    const labels = frame.bytes(indices.length);
    for (let i = 0; i < indices.length; ++i) this.#examples.set(indices[i], [frame.bytes(size), labels[i]]);
  }

  #add(first, values) {
    const expected = this.#expected;
    if (!expected || first !== expected.at) throw new Error("a piece of the variables is out of turn");
    expected.values.set(values, first);
    expected.at += values.length;
    if (expected.at < expected.values.length) return;
    this.#expected = null;
    if (this.#closure?.number === expected.closure) this.#compute(expected);
  }

  #compute({version, values}) {
    const closure = this.#closure, replica = this.#replica, welcome = this.#welcome, began = performance.now();
    this.#closure = null;
    const count = closure.examples.length;
    replica.view("weights").set(values.subarray(0, welcome.weights));
    replica.view("statistics").set(values.subarray(welcome.weights));
    const pixels = replica.view("pixels"), labels = replica.view("labels");
    closure.examples.forEach((example, i) => {
      const [picture, label] = this.#examples.get(example);
      pixels.set(picture, i * picture.length);
      labels[i] = label;
    });
    replica.forwardBackward(count, closure.scale, {seed: welcome.seed, step: closure.step, globalOffset: closure.offset});
    const gradients = replica.view("gradients"), loss = replica.lossSum;
    const computeNs = BigInt(Math.round((performance.now() - began) * 1e6));
    this.#pull();  // answered when the push is applied
    this.#socket.send(new Writer(kinds.push, 40).u64(closure.number).u64(version).f64(loss).u32(replica.correct)
      .u32(values.length).u64(computeNs).done());
    const all = new Float32Array(values.length);
    all.set(gradients);
    all.set(replica.view("statistics"), welcome.weights);
    const isShort = welcome.wire === "bfloat16", weights = all.subarray(0, welcome.weights);
    if (isShort) this.#send(kinds.shortChunk, shortsPerChunk, toBfloat16(weights), 0);
    this.#send(kinds.chunk, floatsPerChunk, isShort ? all.subarray(welcome.weights) : all, isShort ? welcome.weights : 0);
    this.#version = version;
    this.#tell("computed", {
      closure: closure.number, version, loss: loss / count, count, correct: replica.correct,
      pixels: replica.view("pixels"), labels: replica.view("labels"),  // anew: the pass may have grown the memory
      losses: replica.view("losses"), predictions: replica.view("predictions"),
      gradients: weights,
    });
  }

  // In chunks; they begin at value `first`.
  #send(kind, most, values, first) {
    for (let at = 0; at < values.length; at += most) {
      const piece = values.subarray(at, at + most);
      this.#socket.send(new Writer(kind, 6 + piece.byteLength).u32(first + at).u16(piece.length)
        .bytes(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)).done());
    }
  }

  // What the weights that were pulled last make of a picture; null before the first of them.
  ask(picture) {
    const replica = this.#replica, welcome = this.#welcome;
    if (this.#version === undefined) return null;
    const pixels = replica.view("pixels");
    if (picture.length * welcome.mostExamples !== pixels.length) throw new Error("the picture is of another size");
    pixels.set(picture);
    replica.evaluate(1);
    const probabilities = replica.view("probabilities");
    return {version: this.#version, probabilities: probabilities.slice(0, probabilities.length / welcome.mostExamples)};
  }
}
