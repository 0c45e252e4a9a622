// SPDX-License-Identifier: GPL-3.0-or-later
// node compare.mjs MODULE FOLDER: does with the module what tests/core/tst_wasm.cpp has done, folder by folder, and
// compares every bit of what came out. Says what differs first, and how fast it was; then what the module refuses.
import {readdir, readFile} from "node:fs/promises";
import {join} from "node:path";
import {loadReplicas, Refusal} from "../../core/wasm/replica.mjs";

const [modulePath, folder] = process.argv.slice(2);
const {Replica, memory} = await loadReplicas(await readFile(modulePath));
let failed = 0;
const fail = (text) => {
  ++failed;
  console.log(text);
};

const differs = (name, part, got, expected) => {
  const bytes = new Uint8Array(got.buffer, got.byteOffset, got.byteLength);
  if (Buffer.compare(bytes, expected) === 0) return;
  if (bytes.length !== expected.length) return fail(`${name}: ${part} has ${bytes.length} bytes, not ${expected.length}`);
  const word = got.BYTES_PER_ELEMENT;
  const at = Math.floor(bytes.findIndex((byte, i) => byte !== expected[i]) / word);
  const wanted = word === 4 ? expected.readFloatLE(4 * at) : expected[at];
  fail(`${name}: ${part}[${at}] is ${got[at]}, and the processor's baseline path has ${wanted}`);
};

async function compare(path) {
  const of = JSON.parse(await readFile(join(path, "case.json"), "utf8"));
  const read = (name) => readFile(join(path, name));
  const [pixels, labels] = [await read("pixels"), await read("labels")];
  const size = pixels.length / of.different;
  const replica = new Replica(of.description, of);
  replica.initialize(of.seed);
  replica.reserve(of.batch);
  const load = (step) => {
    const from = step % of.different;
    if (of.blankFrom >= 0 && step >= of.blankFrom) replica.view("pixels").fill(0);
    else replica.view("pixels").set(pixels.subarray(from * size, (from + 1) * size));
    replica.view("labels").set(labels.subarray(from * of.batch, (from + 1) * of.batch));
  };
  const losses = new Float32Array(of.steps * of.batch);
  let least = Infinity;
  for (let step = 0; step < of.steps; ++step) {
    load(step);
    const began = performance.now();
    replica.forwardBackward(of.batch, of.scale, {seed: of.seed, step, globalOffset: 5});
    losses.set(replica.view("losses"), step * of.batch);
    replica.update(of.learningRate, step + 1);
    least = Math.min(least, performance.now() - began);
  }
  differs(of.name, "losses", losses, await read("losses"));
  const slots = of.optimizer === "adam" ? ["firstSlot", "secondSlot"] : of.momentum > 0 ? ["firstSlot"] : [];
  for (const part of ["weights", "gradients", "statistics", ...slots])
    differs(of.name, part, replica.view(part), await read(part));
  load(0);
  replica.evaluate(of.batch);
  differs(of.name, "probabilities", replica.view("probabilities"), await read("probabilities"));
  replica.destroy();
  console.log(`${of.name}: ${of.steps} steps, ${Math.round(of.batch / least * 1000)} images/s at best`);
}

// A sentence that matches, and the replica goes on afterwards.
const refused = (pattern, call) => {
  try {
    call();
    fail(`not refused: ${pattern}`);
  } catch (error) {
    if (!(error instanceof Refusal) || !pattern.test(error.message)) fail(`${pattern}: ${error}`);
  }
};

function refusals() {
  const text = "input 4\ndense dense units=3\n";
  refused(/line 2 of the network's description/, () => new Replica("input 4\nconvolution c\n"));
  refused(/has units=0\. Use 1 to/, () => new Replica("input 4\ndense dense\n"));
  refused(/not settings of an optimizer/, () => new Replica(text, {optimizer: "rmsprop"}));
  refused(/not settings of an optimizer/, () => new Replica(text, {beta1: NaN}));
  const replica = new Replica(text);
  replica.initialize(1);
  refused(/there is room for only 0/, () => replica.forwardBackward(1, 1));
  refused(/Use 1 to 4096/, () => replica.reserve(0));
  replica.reserve(2);
  for (let i = 0; i < 20000; ++i) refused(/there is room for only 2/, () => replica.evaluate(3));  // the stack stays
  replica.view("labels").set([0, 3]);
  refused(/example 1 has the label 3/, () => replica.forwardBackward(2, 1));
  refused(/Count updates from 1/, () => replica.update(0.1, 0));
  refused(/no more memory/, () => new Replica("input 4096 64 64\nflatten f\ndense dense units=15\n"));
  const large = new Replica("input 256 256 64\nflatten f\ndense dense units=2\n", {optimizer: "sgd"});
  refused(/no more memory/, () => large.reserve(4096));
  replica.view("labels").set([0, 2]);
  replica.forwardBackward(2, 0.5);
  replica.update(0.001, 1);
  if (!(replica.lossSum > 0)) fail("after refusals the replica does not go on");
}

for (const name of (await readdir(folder)).sort()) await compare(join(folder, name));
console.log(`the module took ${(memory.buffer.byteLength / 1e6).toFixed(0)} MB, in node ${process.version}`);
refusals();
process.exitCode = failed > 0 ? 1 : 0;
