// SPDX-License-Identifier: GPL-3.0-or-later
// The page's Worker: computing leaves the page free to answer.
import {ClassWorker, parseLink} from "./class_worker.mjs";
import {Learner} from "./learner.mjs";
import {loadReplicas} from "./replica.mjs";

let compiled = null;
async function module() {
  if (!compiled) {
    // A frozen server sends nothing.
    const answer = await fetch("/replica.wasm", {signal: AbortSignal.timeout(60_000)});
    if (!answer.ok) throw new Error("the module is not there");
    compiled = await WebAssembly.compile(await answer.arrayBuffer());
  }
  return compiled;
}

const learner = new Learner({ClassWorker, parseLink, loadReplicas, WebSocket, module}, (message) => postMessage(message));
onmessage = ({data}) => learner.take(data);
